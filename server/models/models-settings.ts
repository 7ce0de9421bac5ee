import type { GatewaySettings, Settings } from '../settings/index.ts'

/** The settings this module reads. */
export type ModelsSettings = Settings<
  | 'BYPASS_MODEL_ACCESS_CONTROL'
  | 'DEFAULT_MODELS'
  | 'DEFAULT_MODEL_METADATA'
  | 'DEFAULT_MODEL_PARAMS'
  | 'DEFAULT_PINNED_MODELS'
  | 'ENABLE_EVALUATION_ARENA_MODELS'
  | 'EVALUATION_ARENA_MODELS'
  | 'MODEL_ORDER_LIST'
  | 'MODEL_PRICES'
> &
  Pick<GatewaySettings, 'onChange' | 'update'>
