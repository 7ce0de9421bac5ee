import { expectTypeOf, it } from 'vitest'
import type { Settings } from './index.ts'

it('a name that is no setting, or one of another type, does not compile', () => {
  const read = (settings: Settings, computed: string) => {
    expectTypeOf(settings.boolean('ENABLE_SIGNUP')).toEqualTypeOf<boolean>()
    // @ts-expect-error There is no setting of this name.
    settings.boolean('ENABLE_SINGUP')
    // @ts-expect-error This setting is a number.
    settings.boolean('TOP_K')
    settings.string(computed)
  }
  expectTypeOf(read).toBeFunction()
})
