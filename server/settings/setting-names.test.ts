import { expectTypeOf, it } from 'vitest'
import type { GatewaySettings, Settings } from './index.ts'

it('a setting has the type of its row, and a name that is no setting does not compile', () => {
  const read = (settings: Settings) => {
    expectTypeOf(settings.get('ENABLE_SIGNUP')).toEqualTypeOf<boolean>()
    expectTypeOf(settings.get('TOP_K')).toEqualTypeOf<number>()
    expectTypeOf(settings.get('TRUSTED_PROXIES')).toEqualTypeOf<readonly string[]>()
    expectTypeOf(settings.get('DEFAULT_USER_ROLE')).toEqualTypeOf<'pending' | 'user' | 'admin'>()
    expectTypeOf(settings.get('OAUTH_BLOCKED_GROUPS')).toEqualTypeOf<string[]>()
    // @ts-expect-error There is no setting of this name.
    settings.get('ENABLE_SINGUP')
  }
  expectTypeOf(read).toBeFunction()
})

it('a room reads no setting but those its type names', () => {
  const read = (settings: Settings<'ENABLE_SIGNUP'>) => {
    settings.get('ENABLE_SIGNUP')
    // @ts-expect-error The type does not name this setting.
    settings.get('TOP_K')
  }
  expectTypeOf(read).toBeCallableWith({} as GatewaySettings)
  // @ts-expect-error One of several settings does not stand for all.
  expectTypeOf((some: Settings<'ENABLE_SIGNUP'>): Settings => some).toBeFunction()
})
