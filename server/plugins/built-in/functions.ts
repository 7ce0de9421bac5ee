import type { BuiltInFunction } from './contract.ts'
import { guide } from './guide/guide.ts'

/** Functions bundled with the gateway. */
export const BUILT_IN_FUNCTIONS: readonly BuiltInFunction[] = [guide]
