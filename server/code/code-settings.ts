import type { CodeConfig } from '#contract/code.ts'
import type { GatewaySettings, Settings } from '../settings/index.ts'

/** Settings read by this module. */
export type CodeSettings = Settings<
  | 'CODE_EXECUTION_ENGINE'
  | 'CODE_FILE_LIMIT'
  | 'CODE_IDLE_TIMEOUT'
  | 'CODE_INTERPRETER_ENGINE'
  | 'CODE_INTERPRETER_PROMPT_TEMPLATE'
  | 'CODE_MEMORY_LIMIT'
  | 'CODE_ON_GATEWAY'
  | 'CODE_OUTPUT_LIMIT'
  | 'CODE_PACKAGES_URL'
  | 'CODE_PROCESS_LIMIT'
  | 'CODE_TIMEOUT'
  | 'ENABLE_CODE_EXECUTION'
  | 'OFFLINE_MODE'
  | 'SEALED_MODE'
  | keyof CodeConfig
> &
  Pick<GatewaySettings, 'update'>
