# An RTSP server that is not ours (GStreamer), for tests. Arguments: a Matroska file with H.264 and AAC.
# Prints "ready PORT". /cam is open to all; /locked wants the user "viewer" with the password "locked-secret".
import sys

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstRtspServer', '1.0')
from gi.repository import GLib, Gst, GstRtspServer

Gst.init(None)
server = GstRtspServer.RTSPServer.new()
server.set_address('127.0.0.1')
server.set_service('0')

auth = GstRtspServer.RTSPAuth.new()
viewer = GstRtspServer.RTSPToken.new()
viewer.set_string('media.factory.role', 'viewer')
auth.add_basic(GstRtspServer.RTSPAuth.make_basic('viewer', 'locked-secret'), viewer)
anybody = GstRtspServer.RTSPToken.new()
anybody.set_string('media.factory.role', 'anybody')
auth.set_default_token(anybody)
server.set_auth(auth)

PIPELINE = '( filesrc location="%s" ! matroskademux name=d d.video_0 ! queue ! rtph264pay name=pay0 pt=96 config-interval=-1 d.audio_0 ! queue ! rtpmp4gpay name=pay1 pt=97 )'


def mount(path, roles):
    factory = GstRtspServer.RTSPMediaFactory.new()
    factory.set_launch(PIPELINE % sys.argv[1])
    permissions = GstRtspServer.RTSPPermissions.new()
    for role in ('viewer', 'anybody'):
        permissions.add_permission_for_role(role, 'media.factory.access', True)
        permissions.add_permission_for_role(role, 'media.factory.construct', role in roles)
    factory.set_permissions(permissions)
    server.get_mount_points().add_factory(path, factory)


mount('/cam', ('viewer', 'anybody'))
mount('/locked', ('viewer',))
server.attach(None)
print('ready %d' % server.get_bound_port(), flush=True)
GLib.MainLoop().run()
