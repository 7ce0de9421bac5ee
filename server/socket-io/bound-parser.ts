import type * as Parser from 'socket.io-parser'
import type { Events } from '../events/index.ts'

/**
 * Returns the parser of the protocol with limits for the packets of clients. It refuses a packet
 * that takes long to parse; the library then closes the connection.
 */
export function boundParser(
  parser: typeof Parser,
  limits: Pick<Events['limits'], 'explainRichness'>,
): typeof Parser {
  class BoundedDecoder extends parser.Decoder {
    override add(packet: unknown): void {
      const refusal = typeof packet === 'string' ? limits.explainRichness(packet) : null
      if (refusal !== null) throw new Error(refusal)
      super.add(packet)
    }
  }
  return { ...parser, Decoder: BoundedDecoder }
}
