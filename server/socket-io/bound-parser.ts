import type * as Parser from 'socket.io-parser'
import { isTooRich, TOO_RICH } from '../events/index.ts'

/**
 * Returns the parser of the protocol with limits for the packets of clients. It refuses a packet
 * that takes long to parse; the library then closes the connection.
 */
export function boundParser(parser: typeof Parser): typeof Parser {
  class BoundedDecoder extends parser.Decoder {
    override add(packet: unknown): void {
      if (typeof packet === 'string' && isTooRich(packet)) throw new Error(TOO_RICH)
      super.add(packet)
    }
  }
  return { ...parser, Decoder: BoundedDecoder }
}
