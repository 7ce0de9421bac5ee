import type { ShellEnvironment } from './environment.ts'
import type { LaunchOptions } from './launch-options.ts'
import type { AppPaths, ProfilePaths } from './paths.ts'
import type { ShellStateStore } from '../profile/shell-state.ts'

export interface DesktopOptions {
  readonly launch: LaunchOptions
  readonly environment: ShellEnvironment
  readonly paths: AppPaths
  readonly profile: ProfilePaths
  readonly state: ShellStateStore
}
