import * as parser from 'socket.io-parser'
import { isTooRich, TOO_RICH } from '../events/index.ts'

/** Refuses a packet that takes long to parse; the library then closes the connection. */
class BoundedDecoder extends parser.Decoder {
  override add(packet: unknown): void {
    if (typeof packet === 'string' && isTooRich(packet)) throw new Error(TOO_RICH)
    super.add(packet)
  }
}

/** Parser of the protocol, with limits for the packets of clients. */
export const boundedParser = { ...parser, Decoder: BoundedDecoder }
