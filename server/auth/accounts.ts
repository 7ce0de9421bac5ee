import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { authEndpoints } from '#contract/auths.ts'
import { roleSchema, type Role } from '#contract/common.ts'
import { badRequest, forbidden, unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { UserRecord } from '../users/index.ts'
import type { CreateAccount } from './create-account.ts'
import type { DesktopCodes } from './desktop-codes.ts'
import { createEntryRules, type EntryRulesDependencies } from './entry-rules.ts'
import { createFirstAdmin } from './first-admin.ts'
import { directoryAccount, type KnownPlaces } from './known-places.ts'
import type { Person } from './ldap/directory.ts'
import { createOpenDoor } from './open-door.ts'
import type { Peers } from './peers.ts'
import { isSameSecret } from './setup-code.ts'
import { createSignInByProxy, type SignInByProxyDependencies } from './sign-in-by-proxy.ts'
import type { SignInLimits, SignInTry } from './sign-in-limits.ts'

type SignUp = z.output<typeof authEndpoints.signup.body>

/** The ways to get into an account, each with its rules; none of them issues the session itself. */
export interface Accounts {
  signUp(input: SignUp, request: IncomingMessage): Promise<UserRecord>
  /** By e-mail and password, or as whom the proxy in front names, where it signs people in. */
  signIn(
    input: z.output<typeof authEndpoints.signin.body>,
    request: IncomingMessage,
  ): Promise<UserRecord>
  /** With the account of the directory; `find` asks it. The first time makes the account here. */
  signInByDirectory(
    user: string,
    request: IncomingMessage,
    find: () => Promise<Person | null>,
  ): Promise<UserRecord>
  signInDesktop(code: string): UserRecord
  /** By the token that lies in the data folder, from this machine only. */
  signInLocally(token: string, request: IncomingMessage): UserRecord
  /** From the environment, when there is no account yet. */
  createFirstAdmin(): Promise<void>
  createDesktopCode(): string
  changePassword(
    caller: Caller,
    input: { password: string; new_password: string },
    request: IncomingMessage,
  ): Promise<UserRecord>
}

export interface AccountsDependencies
  extends
    EntryRulesDependencies,
    Pick<SignInByProxyDependencies, 'trustedHeaders' | 'groups' | 'log'> {
  readonly codes: DesktopCodes
  readonly peers: Peers
  readonly limits: SignInLimits
  readonly places: KnownPlaces
  readonly localToken: string
  readonly createAccount: CreateAccount
}

const OWNER = Object.freeze({ name: 'Owner', email: 'owner@localhost' })

/** Tries of passwords, within the limits of their account and address. */
function createTries({
  users,
  limits,
  places,
  peers,
}: Pick<AccountsDependencies, 'users' | 'limits' | 'places' | 'peers'>) {
  const toTry = (
    name: string,
    account: string | undefined,
    request: IncomingMessage,
  ): SignInTry => {
    const place = account === undefined ? null : places.find(account, request)
    return {
      name,
      address: peers.limitSubject(request),
      known: place && { account: account!, place },
    }
  }
  return {
    toTry,
    tryPassword: (
      email: string,
      password: string,
      request: IncomingMessage,
    ): Promise<UserRecord | null> => {
      const attempt = toTry(email, users.findByEmail(email)?.id, request)
      return limits.run(attempt, () =>
        users.findByPassword(email, password, attempt.known ? 'known' : 'sign-in'),
      )
    },
  }
}

export function createAccounts(deps: AccountsDependencies): Accounts {
  const { settings, users, config, limits, codes, peers, trustedHeaders, createAccount } = deps
  const rules = createEntryRules(deps)

  const openDoor = createOpenDoor(deps)
  const newRole = (): Role => roleSchema.parse(settings.string('DEFAULT_USER_ROLE'))
  const byProxy = createSignInByProxy({ ...deps, rules, createAccount, newRole })
  const findOwner = (): UserRecord => users.first() ?? createAccount({ ...OWNER, role: 'admin' })

  const { toTry, tryPassword } = createTries(deps)

  return {
    signUp: async ({ name, email, password, setup_code, profile_image_url }, request) => {
      rules.requireSignUp()
      byProxy.requireOwnAddress(request, email)
      if (rules.isDoorOpen()) openDoor.requireWithinReach(request)
      limits.countSignUp(peers.limitSubject(request))
      rules.requireSetupCode(setup_code, request)
      const passwordHash = await users.hashPassword(password, 'sign-up')
      rules.requireSignUp()
      return createAccount({
        name,
        email,
        role: newRole(),
        passwordHash,
        profile_image_url,
        isRegistration: true,
      })
    },
    signIn: async ({ email, password, setup_code }, request) => {
      if (trustedHeaders.isOn) return byProxy.enter(request, setup_code)
      if (rules.isDoorOpen()) return openDoor.enter(request)
      rules.requirePasswords()
      const user = await tryPassword(email.trim().toLowerCase(), password, request)
      if (!user)
        throw badRequest('The e-mail address or the password is not right.', {
          code: 'invalid_login',
        })
      return user
    },
    signInByDirectory: async (user, request, find) => {
      rules.requireDirectory()
      const account = directoryAccount(user)
      const person = await limits.run(toTry(account, account, request), find)
      if (!person)
        throw badRequest('The name or the password is not right.', { code: 'invalid_login' })
      // @NOTE Who is in the directory is who has its e-mail address: whoever sets the directory up
      //   vouches for its addresses.
      const known = users.findByEmail(person.email)
      if (known) return known
      rules.requireSetupCode(undefined, request)
      return createAccount({ ...person, role: newRole(), isRegistration: true })
    },
    createDesktopCode: () => {
      rules.requireDesktop()
      findOwner()
      return codes.create()
    },
    signInDesktop: (code) => {
      rules.requireDesktop()
      if (!codes.redeem(code))
        throw unauthorized('This code is not valid any more. Restart the app to sign in.')
      return findOwner()
    },
    signInLocally: (token, request) => {
      // A public `WEBUI_URL` does not matter here: the token proves that the caller may read the
      // data folder.
      if (!peers.isDirect(request))
        throw forbidden('This way of signing in is for programs on the machine of the gateway.')
      // No limit of tries: 256 bits are not guessed, and wrong tries of one program would shut out
      // the others of this machine.
      if (!isSameSecret(token, deps.localToken))
        throw unauthorized(
          'This token is not that of the running gateway. Read local-access.json in its data folder again.',
        )
      const owner = users.first()
      if (!owner)
        throw forbidden(
          'There is no account yet. Open the gateway in a browser to make the first one.',
          { code: 'no_account' },
        )
      return owner
    },
    createFirstAdmin: () => createFirstAdmin({ config, users, createAccount }),
    changePassword: async (caller, input, request) => {
      if (trustedHeaders.isOn)
        throw badRequest(
          'A proxy in front of the gateway signs people in, so there is no password to change here.',
        )
      // The owner of the desktop app has no password at first; only a signed-in window, not a key,
      // may set it.
      const needsCurrent = users.hasPassword(caller.userId) || caller.credential === 'key'
      const wrongPassword = () =>
        badRequest('The current password is not right.', { code: 'invalid_login' })
      const before = users.get(caller.userId)?.tokenVersion
      if (needsCurrent && !(await tryPassword(caller.email, input.password, request)))
        throw wrongPassword()
      const passwordHash = await users.hashPassword(input.new_password)
      // Hashing takes its time: the password may be another one by now, such as one an
      // administrator set to lock somebody out.
      if (users.get(caller.userId)?.tokenVersion !== before) throw wrongPassword()
      return users.update(caller.userId, { passwordHash })
    },
  }
}
