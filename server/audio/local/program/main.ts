// Program of the process that recognizes speech. It receives orders one at a time from the gateway
// that started it, and is terminated whenever no caller waits for its answer any more.
import { constants, setPriority } from 'node:os'
import { openLine } from '../../../lib/process-line.ts'
import { decode } from './decode/decode.ts'
import { SpeechFault } from './fault.ts'
import type { SpeechOrder, SpeechReport } from './protocol.ts'
import { recognize } from './recognize.ts'

// All chats take priority over a single recording.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const line = await openLine<SpeechOrder, SpeechReport>()

async function answer(order: SpeechOrder): Promise<SpeechReport> {
  try {
    return { text: await recognize(order, await decode(order.recording)) }
  } catch (error) {
    const fault =
      error instanceof SpeechFault
        ? error
        : new SpeechFault(500, 'The recording could not be turned into text.', error)
    if (fault.cause instanceof Error) process.stderr.write(`${fault.cause.stack}\n`)
    return { status: fault.status, problem: fault.message }
  }
}

line.onOrder((order) => void answer(order).then((report) => line.send(report)))
line.onClosed(() => process.exit(0))
