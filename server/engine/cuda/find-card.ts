import { access } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../config/config.ts'

/** Returns the file that the driver of NVIDIA cards leaves on this system. */
function driverFile({ environment }: Config): string {
  if (process.platform !== 'win32') return '/proc/driver/nvidia/version'
  return path.join(environment['SystemRoot'] ?? 'C:\\Windows', 'System32', 'nvidia-smi.exe')
}

/** Reports whether this computer has an NVIDIA card with its driver. */
export async function hasNvidiaCard(config: Config): Promise<boolean> {
  try {
    await access(config.nvidiaDriver ?? driverFile(config))
    return true
  } catch {
    return false
  }
}
