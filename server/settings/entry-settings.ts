import type { SettingDefinition } from './setting-definition.ts'
import { passwordRules } from './sign-in-settings.ts'

const DURATION = {
  expression: /^(-1|0|(\d+(\.\d+)?(ms|[smhdw]))+)$/,
  words: 'a duration such as 30m, 12h or 4w, or -1 for no end',
}

/** Settings of signing in. */
export const signIn = [
  {
    key: 'ENABLE_SIGNUP',
    type: 'boolean',
    default: true,
    help: 'Lets people create their own account. Turns itself off after the first one.',
  },
  {
    key: 'SIGNIN_TRIES',
    type: 'integer',
    default: 15,
    minimum: 1,
    maximum: 100_000,
    help: 'Failed sign-ins of an account, and of an address, within three minutes; further ones are refused until these are over.',
  },
  {
    key: 'SIGNUP_TRIES_PER_ADDRESS',
    type: 'integer',
    default: 15,
    minimum: 1,
    maximum: 100_000,
    help: 'How often people behind one address may try to create an account within three minutes.',
  },
  {
    key: 'DEFAULT_USER_ROLE',
    type: 'string',
    default: 'pending',
    allowed: ['pending', 'user', 'admin'],
    help: 'Role of new accounts; pending accounts wait for an administrator’s approval.',
  },
  {
    key: 'ENABLE_LOGIN_FORM',
    type: 'boolean',
    default: true,
    help: 'Shows the form for email and password; /auth?form=true always shows it.',
  },
  {
    key: 'ENABLE_PASSWORD_AUTH',
    type: 'boolean',
    default: true,
    help: 'Accepts an email address and a password at sign-in.',
  },
  {
    key: 'ENABLE_INITIAL_ADMIN_SIGNUP',
    type: 'boolean',
    default: false,
    help: 'Lets the first account be created by sign-up even while sign-up is closed.',
  },
  ...passwordRules,
  {
    key: 'JWT_EXPIRES_IN',
    type: 'string',
    default: '4w',
    pattern: DURATION,
    help: 'How long a sign-in lasts.',
  },
  {
    key: 'SHOW_ADMIN_DETAILS',
    type: 'boolean',
    default: true,
    help: 'Shows people who are waiting for approval who to contact.',
  },
] as const satisfies readonly SettingDefinition[]
