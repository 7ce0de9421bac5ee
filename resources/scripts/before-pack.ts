// Hook of the packaging tool: makes the Python that the package brings along, for each platform and
// processor it is made for.
import { Arch, type AfterPackContext } from 'electron-builder'
import { preparePython } from './python/prepare-python.ts'
import type { Target } from './python/targets.ts'

export async function beforePack({
  electronPlatformName,
  arch,
}: Pick<AfterPackContext, 'arch' | 'electronPlatformName'>): Promise<void> {
  const platform = electronPlatformName as Target['platform']
  await preparePython({ platform, arch: Arch[arch] as Target['arch'] })
}
