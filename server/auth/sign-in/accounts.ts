import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { authEndpoints } from '#contract/auths.ts'
import { roleSchema, type Role } from '#contract/common.ts'
import { badRequest, forbidden, unauthorized } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { UserRecord } from '../../users/index.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import { createOrFind, type CreateAccount } from './create-account.ts'
import type { DesktopCodes } from './desktop-codes.ts'
import { EntryRules, type EntryRulesDependencies } from './entry-rules.ts'
import { createFirstAdmin } from './first-admin.ts'
import { directoryAccount, type KnownPlaces } from './known-places.ts'
import type { Person } from '../ldap/directory.ts'
import { OpenDoor } from './open-door.ts'
import type { Peers } from '../origin/peers.ts'
import { isSameSecret } from './setup-code.ts'
import { SignInByProxy, type SignInByProxyDependencies } from './sign-in-by-proxy.ts'
import type { SignInLimits, SignInTry } from './sign-in-limits.ts'
import type { SingleSignOnStore } from '../single-sign-on/store.ts'
import { takeFromStranger } from '../single-sign-on/take-from-stranger.ts'

type SignUp = z.output<typeof authEndpoints.signup.body>

interface AccountsDependencies
  extends
    EntryRulesDependencies,
    Pick<SignInByProxyDependencies, 'storage' | 'trustedHeaders' | 'groups' | 'log'> {
  readonly codes: DesktopCodes
  readonly peers: Peers
  readonly limits: SignInLimits
  readonly places: KnownPlaces
  readonly localToken: string
  readonly createAccount: CreateAccount
  readonly apiKeys: ApiKeys
  /** Which accounts were registered with an address that nothing vouched for. */
  readonly identities: SingleSignOnStore
}

const OWNER = Object.freeze({ name: 'Owner', email: 'owner@localhost' })

/**
 * The ways to sign in to an account, each with its rules; none of them issues the session itself.
 */
export class Accounts {
  readonly #deps: AccountsDependencies
  readonly #rules: EntryRules
  readonly #openDoor: OpenDoor
  readonly #byProxy: SignInByProxy

  constructor(deps: AccountsDependencies) {
    this.#deps = deps
    this.#rules = new EntryRules(deps)
    this.#openDoor = new OpenDoor(deps)
    this.#byProxy = new SignInByProxy({
      ...deps,
      rules: this.#rules,
      findProved: (email) => this.#findProved(email),
      newRole: () => this.#newRole(),
    })
  }

  async signUp(
    { name, email, password, setup_code, profile_image_url }: SignUp,
    request: IncomingMessage,
  ): Promise<UserRecord> {
    await this.#rules.requireSignUp()
    const onlyAsFirst = (await this.#deps.users.count()) === 0
    this.#byProxy.requireOwnAddress(request, email)
    if (this.#rules.isDoorOpen()) this.#openDoor.requireWithinReach(request)
    this.#deps.limits.countSignUp(this.#deps.peers.limitSubject(request))
    await this.#rules.requireSetupCode(setup_code, request)
    const passwordHash = await this.#deps.users.hashPassword(password, 'sign-up')
    await this.#rules.requireSignUp()
    const { storage, trustedHeaders, identities, createAccount } = this.#deps
    return storage.transaction(async () => {
      const user = await createAccount({
        name,
        email,
        role: this.#newRole(),
        passwordHash,
        profile_image_url,
        isRegistration: true,
        onlyAsFirst,
      })
      // `requireOwnAddress` has compared the address with the one the proxy vouches for.
      if (trustedHeaders.identityOf(request)) await identities.noteProved(user.id)
      return user
    })
  }

  /**
   * Signs in by e-mail and password, or as the user named by the proxy in front if it signs users
   * in.
   */
  async signIn(
    { email, password, setup_code }: z.output<typeof authEndpoints.signin.body>,
    request: IncomingMessage,
  ): Promise<UserRecord> {
    if (this.#deps.trustedHeaders.isOn) return this.#byProxy.enter(request, setup_code)
    if (this.#rules.isDoorOpen()) return this.#openDoor.enter(request)
    this.#rules.requirePasswords()
    const user = await this.#tryPassword(email.trim().toLowerCase(), password, request)
    if (!user)
      throw badRequest('The email address or password is incorrect.', {
        code: 'invalid_login',
      })
    return user
  }

  /**
   * Signs in with the directory account, which `find` looks up. The first sign-in creates the
   * account here.
   */
  async signInByDirectory(
    user: string,
    request: IncomingMessage,
    find: () => Promise<Person | null>,
  ): Promise<UserRecord> {
    this.#rules.requireDirectory()
    const account = directoryAccount(user)
    const person = await this.#deps.limits.run(await this.#toTry(account, account, request), find)
    if (!person) throw badRequest('The name or password is incorrect.', { code: 'invalid_login' })
    // @NOTE The administrator who connects a directory vouches for its e-mail addresses, so an
    // account with the same address belongs to the same person, regardless of its origin.
    const known = await this.#deps.storage.transaction(() => this.#findProved(person.email))
    if (known) return known
    await this.#rules.requireSetupCode(undefined, request)
    return createOrFind(this.#deps.users, person.email, () =>
      this.#deps.createAccount({ ...person, role: this.#newRole(), isRegistration: true }),
    )
  }

  /** Must be called within a transaction. */
  async #findProved(email: string): Promise<UserRecord | null> {
    const { users, apiKeys, identities: store } = this.#deps
    const known = await users.findByEmail(email)
    if (!known) return null
    await takeFromStranger({ users, apiKeys, store }, known)
    // The next session needs the version that was raised by ending the former ones.
    return users.get(known.id)
  }

  async signInDesktop(code: string): Promise<UserRecord> {
    this.#rules.requireDesktop()
    if (!this.#deps.codes.redeem(code))
      throw unauthorized('This code is no longer valid. Restart the app to sign in.')
    return this.#findOwner()
  }

  /** Signs in by the token in the data folder, from this machine only. */
  async signInLocally(token: string, request: IncomingMessage): Promise<UserRecord> {
    // A public `WEBUI_URL` does not matter here: the token proves that the caller may read the
    // data folder.
    if (!this.#deps.peers.isDirect(request))
      throw forbidden('This way of signing in is for programs on the machine of the gateway.')
    // No limit on tries: 256 bits cannot be guessed, and failed tries of one client would block the
    // others on this machine.
    if (!isSameSecret(token, this.#deps.localToken))
      throw unauthorized(
        'This token is not that of the running gateway. Read local-access.json in its data folder again.',
      )
    const owner = await this.#deps.users.first()
    if (!owner)
      throw forbidden(
        'There is no account yet. Open the gateway in a browser to create the first one.',
        { code: 'no_account' },
      )
    return owner
  }

  /**
   * Creates the account of `WEBUI_ADMIN_EMAIL` if there are no accounts; must be awaited before the
   * gateway serves requests.
   */
  createFirstAdmin(): Promise<void> {
    return createFirstAdmin(this.#deps)
  }

  /**
   * Returns a single-use code for the desktop window, valid 60 s; it may only be sent over the
   * process channel. Creates the owner if there are no users.
   */
  async createDesktopCode(): Promise<string> {
    this.#rules.requireDesktop()
    await this.#findOwner()
    return this.#deps.codes.create()
  }

  async changePassword(
    caller: Caller,
    input: { password: string; new_password: string },
    request: IncomingMessage,
  ): Promise<UserRecord> {
    const { users, trustedHeaders } = this.#deps
    if (trustedHeaders.isOn)
      throw badRequest(
        'A proxy in front of the gateway signs people in, so there is no password to change here.',
      )
    // The owner of the desktop app has no password at first; only a signed-in window, not a key,
    // may set it.
    const needsCurrent = (await users.hasPassword(caller.userId)) || caller.credential === 'key'
    const wrongPassword = () =>
      badRequest('The current password is incorrect.', { code: 'invalid_login' })
    const before = (await users.get(caller.userId))?.tokenVersion
    if (needsCurrent && !(await this.#tryPassword(caller.email, input.password, request)))
      throw wrongPassword()
    const passwordHash = await users.hashPassword(input.new_password)
    // The password may have changed while this one was being hashed, for example because an
    // administrator locked the account.
    const check = ({ tokenVersion }: UserRecord): void => {
      if (tokenVersion !== before) throw wrongPassword()
    }
    return users.update(caller.userId, { passwordHash }, { check })
  }

  async #toTry(
    name: string,
    account: string | undefined,
    request: IncomingMessage,
  ): Promise<SignInTry> {
    const { places, peers } = this.#deps
    const place = account === undefined ? null : await places.find(account, request)
    return {
      name,
      address: peers.limitSubject(request),
      known: place && { account: account!, place },
    }
  }

  /** Tries a password within the limits of the account and of the IP address. */
  async #tryPassword(
    email: string,
    password: string,
    request: IncomingMessage,
  ): Promise<UserRecord | null> {
    const { users, limits } = this.#deps
    const attempt = await this.#toTry(email, (await users.findByEmail(email))?.id, request)
    return limits.run(attempt, () =>
      users.findByPassword(email, password, attempt.known ? 'known' : 'sign-in'),
    )
  }

  #newRole(): Role {
    return roleSchema.parse(this.#deps.settings.get('DEFAULT_USER_ROLE'))
  }

  async #findOwner(): Promise<UserRecord> {
    return (await this.#deps.users.first()) ?? this.#deps.createAccount({ ...OWNER, role: 'admin' })
  }
}
