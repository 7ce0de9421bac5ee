"""Writes down every frame that leaves an interface, until it is asked to end. Needs no package and root's rights.

usage: capture.py INTERFACE FILE

The file gets one JSON object: the frames sent, and of each connection of TCP that this computer began the
address and port it led to, how often it began, and how many bytes of content were sent; of each kind of datagram of UDP
where it led to, with the names that were asked for at name servers.
"""

import json
import signal
import socket
import struct
import sys

ETH_P_ALL = 0x0003
PACKET_OUTGOING = 4
IPV4 = 0x0800
TCP = 6
UDP = 17
NAME_SERVER = 53
SYN = 0x02
ACK = 0x10


def read_tcp(frame: bytes):
    """Source port, destination, flags, sequence number and length of content; None for anything else."""
    if len(frame) < 34 or struct.unpack("!H", frame[12:14])[0] != IPV4 or frame[23] != TCP:
        return None
    head = (frame[14] & 0x0F) * 4
    total = struct.unpack("!H", frame[16:18])[0]
    start = 14 + head
    source, target, sequence = struct.unpack("!HHI", frame[start : start + 8])
    offset = (frame[start + 12] >> 4) * 4
    address = socket.inet_ntoa(frame[30:34])
    return source, address, target, frame[start + 13], sequence, total - head - offset


def read_udp(frame: bytes):
    """Address and port a datagram leads to, and the name it asks for; None for anything else."""
    if len(frame) < 34 or struct.unpack("!H", frame[12:14])[0] != IPV4 or frame[23] != UDP:
        return None
    start = 14 + (frame[14] & 0x0F) * 4
    port = struct.unpack("!H", frame[start + 2 : start + 4])[0]
    place = f"{socket.inet_ntoa(frame[30:34])}:{port}"
    if port != NAME_SERVER:
        return place
    labels, at = [], start + 8 + 12
    while at < len(frame) and frame[at]:
        labels.append(frame[at + 1 : at + 1 + frame[at]].decode("ascii", "replace"))
        at += 1 + frame[at]
    return f"{place} {'.'.join(labels)}"


def main(interface: str, file: str) -> None:
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    raw.bind((interface, 0))
    raw.settimeout(0.2)
    is_over = []
    signal.signal(signal.SIGTERM, lambda *_: is_over.append(True))
    frames, kinds, flows, datagrams = 0, {}, {}, {}
    print("capturing", flush=True)
    while not is_over:
        try:
            frame, (_, _, kind, *_) = raw.recvfrom(65535)
        except TimeoutError:
            continue
        if kind != PACKET_OUTGOING:
            continue
        frames += 1
        name = f"0x{struct.unpack('!H', frame[12:14])[0]:04x}"
        kinds[name] = kinds.get(name, 0) + 1
        if (datagram := read_udp(frame)) is not None:
            datagrams[datagram] = datagrams.get(datagram, 0) + 1
        found = read_tcp(frame)
        if found is None:
            continue
        source, address, target, flags, sequence, length = found
        if flags & SYN and not flags & ACK:
            flows.setdefault((source, address, target, sequence), {"first": sequence, "last": sequence})
        for (own, far, port, _), flow in flows.items():
            # What is sent again has numbers that were there before.
            if (own, far, port) == (source, address, target) and length > 0:
                flow["last"] = max(flow["last"], sequence + length - 1)
    connections = [
        {"address": address, "port": port, "bytes_sent": flow["last"] - flow["first"]}
        for (_, address, port, _), flow in flows.items()
    ]
    with open(file, "w") as out:
        json.dump({"frames": frames, "kinds": kinds, "datagrams": datagrams, "connections": connections}, out, indent=2)


main(*sys.argv[1:])
