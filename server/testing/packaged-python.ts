import { existsSync } from 'node:fs'
import path from 'node:path'

const os = { darwin: 'mac', linux: 'linux', win32: 'win' }[process.platform as string]
const folder = path.resolve(
  import.meta.dirname,
  '../../out/packaged-python',
  `${os}-${process.arch}`,
)

/** The Python that `npm run pack` built for this machine; null if nothing was packed. */
export const packagedPython: string | null = existsSync(path.join(folder, 'packages.json'))
  ? folder
  : null
