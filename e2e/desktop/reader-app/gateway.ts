// Stands for the packed gateway: a utility process that may not start processes and has documents
// read through the app.
import { Extraction } from '../../../server/retrieval/extraction/index.ts'

interface AppPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

interface Order {
  readonly type: 'read'
  readonly path: string
  readonly filename: string
  readonly timeLimit: number
}

let timeLimit = 30_000
const extraction = new Extraction({ timeLimit: () => timeLimit, workers: 1 })
const port = (process as typeof process & { parentPort: AppPort }).parentPort

async function read(order: Order): Promise<void> {
  timeLimit = order.timeLimit
  try {
    const { text } = await extraction.extract(
      { ...order, contentType: null },
      { signal: new AbortController().signal },
    )
    port.postMessage({ type: 'read', text })
  } catch (fault) {
    port.postMessage({ type: 'refused', text: (fault as Error).message })
  }
}

port.on('message', ({ data }) => {
  if ((data as Partial<Order>).type === 'read') void read(data as Order)
})
