// npm run pack: builds the app and packages it unpacked into dist/; with --installers also as the
// system's installers. With --size the size of a compressed download is measured, which takes two
// minutes. With ELECTRON_OVERRIDE_DIST_PATH the Electron of that folder is packaged instead of a
// downloaded one, for tests only.
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkElectronFloor } from './electron-floor.ts'
import { ensureBuilt } from './ensure-built.ts'
import { capture, hasProgram, root, run } from './run-step.ts'
import { checkPackage } from './check-package.ts'

const SIZE_LIMIT = 150

const toMegabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}

async function pack(isWithInstallers: boolean): Promise<void> {
  const electronDist = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  const feed = process.env['UPDATE_FEED']
  const words = [
    '--publish',
    'never',
    ...(isWithInstallers ? [] : ['--dir']),
    ...(electronDist ? [`-c.electronDist=${electronDist}`] : []),
    ...(feed ? ['-c.publish.provider=generic', `-c.publish.url=${feed}`] : []),
  ]
  console.log('Packing …')
  if ((await run('electron-builder', words)) !== 0) fail('Packing failed.')
}

/** Prints the size of the installers, which users download. */
function printInstallers(): void {
  const installers = globSync('dist/*.{dmg,zip,exe,AppImage,deb,rpm}', { cwd: root })
  for (const file of installers)
    console.log(
      `${file}: ${toMegabytes(statSync(path.join(root, file)).size)} MB (limit ${SIZE_LIMIT})`,
    )
}

/** Prints the approximate size of an installer, by compressing the unpacked app in the same way. */
async function printSize(folder: string): Promise<void> {
  if (!(await hasProgram('xz'))) fail('The size cannot be measured without the program xz.')
  console.log('Compressing to measure the size (about two minutes) …')
  const scratch = mkdtempSync(path.join(tmpdir(), 'chat-gateway-pack-'))
  const archive = path.join(scratch, 'app.tar.xz')
  const { code, output } = await capture('tar', ['-C', folder, '-I', 'xz -T0', '-cf', archive, '.'])
  if (code !== 0) fail(`The app could not be compressed: ${output}`)
  console.log(
    `Size of a compressed download: ${toMegabytes(statSync(archive).size)} MB (limit ${SIZE_LIMIT})`,
  )
  rmSync(scratch, { recursive: true })
}

const floorFault = checkElectronFloor()
if (floorFault) fail(floorFault)
await ensureBuilt()
await pack(process.argv.includes('--installers'))
for (const folder of globSync('dist/*-unpacked', { cwd: root }).map((name) =>
  path.join(root, name),
)) {
  const fault = await checkPackage(folder)
  if (fault) fail(fault)
  console.log(
    `${path.relative(root, folder)} is complete: its gateway starts with nothing but its own files.`,
  )
  if (process.argv.includes('--size')) await printSize(folder)
}
printInstallers()
