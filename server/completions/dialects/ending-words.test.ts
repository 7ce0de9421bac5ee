import { expect, test } from 'vitest'
import { toStopReason } from './messages/convert-answer.ts'
import { toEnding } from './responses/convert-answer.ts'

test.each(['__proto__', 'constructor', 'toString'])(
  'An answer that ends because of %s ends like one for any unknown reason',
  (reason) => {
    expect(toStopReason(reason, { hasCalls: false, isRefused: false })).toBe('end_turn')
    expect(toEnding(reason)).toEqual({ status: 'completed' })
  },
)
