import type { SettingDefinition } from '../setting-definition.ts'
import { passwordRules } from './sign-in-settings.ts'

const DURATION = {
  expression: /^(-1|0|(\d+(\.\d+)?(ms|[smhdw]))+)$/,
  words: 'a duration such as 30m, 12h or 4w, or -1 for no end',
}

/** Settings of signing in. */
export const signIn = [
  {
    key: 'ENABLE_SIGNUP',
    name: 'Let people create accounts',
    searchWords: 'register registration new users',
    type: 'boolean',
    default: true,
    help: 'Lets people create their own account. Turns itself off after the first one.',
  },
  {
    key: 'SIGNIN_TRIES',
    name: 'Failed sign-ins allowed',
    searchWords: 'brute force lockout attempts',
    type: 'integer',
    default: 15,
    minimum: 1,
    maximum: 100_000,
    help: 'Failed sign-ins of an account, and of an address, within three minutes; further ones are refused until these are over.',
  },
  {
    key: 'SIGNUP_TRIES_PER_ADDRESS',
    name: 'New accounts allowed per address',
    searchWords: 'spam register',
    type: 'integer',
    default: 15,
    minimum: 1,
    maximum: 100_000,
    help: 'How often people behind one address may try to create an account within three minutes.',
  },
  {
    key: 'DEFAULT_USER_ROLE',
    name: 'Role for new accounts',
    searchWords: 'pending approval',
    type: 'string',
    default: 'pending',
    allowed: ['pending', 'user', 'admin'],
    help: 'Role of new accounts; pending accounts wait for an administrator’s approval.',
  },
  {
    key: 'ENABLE_LOGIN_FORM',
    name: 'Show the sign-in form',
    searchWords: 'login page',
    type: 'boolean',
    default: true,
    help: 'Shows the form for email and password; /auth?form=true always shows it.',
  },
  {
    key: 'ENABLE_PASSWORD_AUTH',
    name: 'Password sign-in',
    searchWords: 'login',
    type: 'boolean',
    default: true,
    help: 'Accepts an email address and a password at sign-in.',
  },
  {
    key: 'ENABLE_INITIAL_ADMIN_SIGNUP',
    name: 'Create the first account by sign-up',
    type: 'boolean',
    default: false,
    help: 'Lets the first account be created by sign-up even while sign-up is closed.',
  },
  ...passwordRules,
  {
    key: 'JWT_EXPIRES_IN',
    name: 'How long a sign-in lasts',
    searchWords: 'session timeout expiry log out',
    type: 'string',
    default: '4w',
    pattern: DURATION,
    help: 'How long a sign-in lasts.',
  },
  {
    key: 'SHOW_ADMIN_DETAILS',
    name: 'Show who to contact for approval',
    searchWords: 'contact',
    type: 'boolean',
    default: true,
    help: 'Shows people who are waiting for approval who to contact.',
  },
] as const satisfies readonly SettingDefinition[]
