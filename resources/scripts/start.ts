// npm start: opens the desktop app, or reports why it cannot and serves the same UI headless.
import { missingDisplay, obtainElectron } from './electron.ts'
import { ensureBuilt } from './ensure-built.ts'
import { root, run } from './run-step.ts'

await ensureBuilt()
const noDisplay = missingDisplay()
const electron = noDisplay ? null : await obtainElectron()
if (electron) process.exit(await run(electron, [root, ...process.argv.slice(2)]))

console.log(
  `No desktop window: ${noDisplay ?? 'the Electron runtime could not be found or downloaded'}. Serving the same interface headless instead; open the address below in a browser.`,
)
await import('./serve.ts')
