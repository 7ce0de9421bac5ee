import { integer, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'
import { passwordRules } from './sign-in-settings.ts'

const DURATION = {
  expression: /^(-1|0|(\d+(\.\d+)?(ms|[smhdw]))+)$/,
  words: 'a duration such as 30m, 12h or 4w, or -1 for no end',
}

/** Settings of signing in. */
export const signIn = [
  toggle('ENABLE_SIGNUP', true, {
    name: 'Let people create accounts',
    searchWords: 'register registration new users',
    help: 'Lets people create their own account. Turns itself off after the first one.',
  }),
  integer('SIGNIN_TRIES', 15, [1, 100_000], {
    name: 'Failed sign-ins allowed',
    searchWords: 'brute force lockout attempts',
    help: 'Failed sign-ins of an account, and of an address, within three minutes; further ones are refused until these are over.',
  }),
  integer('SIGNUP_TRIES_PER_ADDRESS', 15, [1, 100_000], {
    name: 'New accounts allowed per address',
    searchWords: 'spam register',
    help: 'How often people behind one address may try to create an account within three minutes.',
  }),
  text('DEFAULT_USER_ROLE', 'pending', {
    name: 'Role for new accounts',
    searchWords: 'pending approval',
    allowed: ['pending', 'user', 'admin'],
    help: 'Role of new accounts; pending accounts wait for an administrator’s approval.',
  }),
  toggle('ENABLE_LOGIN_FORM', true, {
    name: 'Show the sign-in form',
    searchWords: 'login page',
    help: 'Shows the form for email and password; /auth?form=true always shows it.',
  }),
  toggle('ENABLE_PASSWORD_AUTH', true, {
    name: 'Password sign-in',
    searchWords: 'login',
    help: 'Accepts an email address and a password at sign-in.',
  }),
  toggle('ENABLE_INITIAL_ADMIN_SIGNUP', false, {
    name: 'Create the first account by sign-up',
    help: 'Lets the first account be created by sign-up even while sign-up is closed.',
  }),
  ...passwordRules,
  text('JWT_EXPIRES_IN', '4w', {
    name: 'How long a sign-in lasts',
    searchWords: 'session timeout expiry log out',
    pattern: DURATION,
    help: 'How long a sign-in lasts.',
  }),
  toggle('SHOW_ADMIN_DETAILS', true, {
    name: 'Show who to contact for approval',
    searchWords: 'contact',
    help: 'Shows people who are waiting for approval who to contact.',
  }),
] as const satisfies readonly SettingDefinition[]
