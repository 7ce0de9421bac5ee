// npm run generated: writes every file that is generated from a table of the code; with --check only
// compares.
import { capture } from './run-step.ts'

const SCRIPTS = ['write-rooms.ts', 'write-texts.ts', 'write-configuration.ts']

for (const script of SCRIPTS) {
  const { code, output } = await capture('node', [
    `resources/scripts/${script}`,
    ...process.argv.slice(2),
  ])
  if (code === 0) continue
  console.error(output)
  process.exitCode = 1
}
