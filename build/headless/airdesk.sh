#!/bin/sh
# Starts the server without a window; --help lists its options.
exec /opt/airdesk/node /opt/airdesk/app/out/main/headless.js "$@"
