"""Prints the text and the TTL of each datagram to a multicast group, until the text is `end`.

Arguments: group, port, address of the network interface. Prints `ready` when it has joined.
"""
import socket
import struct
import sys

IP_RECVTTL = 12  # linux/in.h

group, port, local = sys.argv[1], int(sys.argv[2]), sys.argv[3]
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind((group, port))
receiver.setsockopt(socket.IPPROTO_IP, IP_RECVTTL, 1)
receiver.setsockopt(
    socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + socket.inet_aton(local)
)
print("ready", flush=True)
text = ""
while text != "end":
    data, ancillary, _, _ = receiver.recvmsg(2048, 64)
    text = data.decode()
    print(text, struct.unpack("i", ancillary[0][2])[0], flush=True)
