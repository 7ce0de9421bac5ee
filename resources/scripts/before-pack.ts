// Hook of the packaging tool: prepares the Python bundled in the package, for each platform and
// processor it is built for.
import { Arch, type AfterPackContext } from 'electron-builder'
import { preparePython } from './python/prepare-python.ts'
import type { Target } from './python/targets.ts'

export async function beforePack({
  electronPlatformName,
  arch,
}: Pick<AfterPackContext, 'arch' | 'electronPlatformName'>): Promise<void> {
  // A second version packed from the same tree has the same Python.
  if (process.env['KEEP_PACKAGED_PYTHON'] === 'true') return
  const platform = electronPlatformName as Target['platform']
  await preparePython({ platform, arch: Arch[arch] as Target['arch'] })
}
