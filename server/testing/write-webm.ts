/** The size for "unknown", as in live recordings. */
const OPEN = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])

function element(id: string, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10_00_00_00 + bytes.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, bytes])
}

/** Returns a WebM recording as browsers write it, from an Opus header and packets. */
export function writeWebm(head: Uint8Array, packets: Iterable<Uint8Array>): Buffer {
  const track = element(
    'ae',
    element('d7', Buffer.from([1])),
    element('86', Buffer.from('A_OPUS')),
    element('63a2', Buffer.from(head)),
  )
  const blocks = [...packets].map((packet) =>
    element('a3', Buffer.from([0x81, 0, 0, 0x80]), Buffer.from(packet)),
  )
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    Buffer.from('18538067', 'hex'),
    OPEN,
    element('1654ae6b', track),
    Buffer.from('1f43b675', 'hex'),
    OPEN,
    ...blocks,
  ])
}
