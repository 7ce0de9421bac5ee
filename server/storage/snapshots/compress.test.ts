import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const MODULE = JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'compress.ts')).href)
/** Compresses without a pause, as little as possible each time. */
const THREAD = `
  import { parentPort, workerData } from 'node:worker_threads'
  import { compress, shareTurns } from ${MODULE}
  shareTurns(workerData)
  parentPort.postMessage('begun')
  for (;;) compress('x')
`
/** Ends such threads one after the other, each a little later. */
const PROGRAM = `
  import { once } from 'node:events'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { Worker } from 'node:worker_threads'
  import { createTurns, waitForCompression } from ${MODULE}
  const address = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(THREAD)}))
  for (let thread = 0; thread < 30; thread += 1) {
    const turns = createTurns()
    const worker = new Worker(address, { workerData: turns })
    await once(worker, 'message')
    await sleep(5 + thread / 2)
    await waitForCompression(turns)
    await worker.terminate()
  }
  console.log('still there')
`

it('a thread that compresses can be ended at any moment without ending the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect({ code, signal, output }).toEqual({ code: 0, signal: null, output: 'still there\n' })
})
