import type { BuiltInFunction } from './contract.ts'
import { guide } from './guide/guide.ts'

/** The functions the gateway brings along. */
export const BUILT_IN_FUNCTIONS: readonly BuiltInFunction[] = [guide]
