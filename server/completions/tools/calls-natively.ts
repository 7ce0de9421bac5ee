import { functionCallingOf } from '../../lib/function-calling.ts'
import type { Exchange } from '../exchange.ts'

/** Returns true if the model of an answer calls functions natively. */
export const callsNatively = ({ sent, resolved: { preset, model } }: Exchange): boolean =>
  functionCallingOf({
    params: sent.params,
    preset: preset?.params,
    capabilities: model.capabilities,
  }) === 'native'
