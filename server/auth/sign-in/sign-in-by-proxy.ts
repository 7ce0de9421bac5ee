import type { IncomingMessage } from 'node:http'
import type { Role } from '#contract/common.ts'
import type { Groups } from '../../groups/index.ts'
import { badRequest, forbidden } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Storage } from '../../storage/index.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import { createOrFind } from './create-account.ts'
import type { EntryRules } from './entry-rules.ts'
import type { ProxyIdentity, TrustedHeaders } from '../origin/trusted-headers.ts'

export interface SignInByProxyDependencies {
  readonly storage: Storage
  readonly trustedHeaders: TrustedHeaders
  readonly users: Users
  readonly groups: Groups
  readonly rules: EntryRules
  readonly log: Logger
  /** Creates an account; the first one becomes an administrator. */
  readonly createAccount: (input: Parameters<Users['create']>[0]) => Promise<UserRecord>
  /**
   * Finds the account of an address the proxy vouches for, and takes it from a stranger who
   * registered with the address; must be called within a transaction.
   */
  readonly findProved: (email: string) => Promise<UserRecord | null>
  /** Role of new accounts. */
  readonly newRole: () => Role
}

/** A user whose e-mail address is given by the proxy. */
type Named = ProxyIdentity & { readonly email: string }

/** Signs in users identified by a trusted proxy. */
export class SignInByProxy {
  readonly #deps: SignInByProxyDependencies

  constructor(deps: SignInByProxyDependencies) {
    this.#deps = deps
  }

  /** Throws 400 if the proxy identifies no user. */
  async enter(request: IncomingMessage, setupCode: string | undefined): Promise<UserRecord> {
    const person = this.#readPerson(request)
    // In one transaction, since a browser page signs in with many calls at once.
    const entered = await this.#deps.storage.transaction(
      async () =>
        (await this.#deps.findProved(person.email)) ??
        (await this.#create(person, request, setupCode)),
    )
    const user = await this.#applyRole(entered, person.role)
    if (person.groups) await this.#deps.groups.setMembership(user.id, person.groups)
    return user
  }

  /** Throws 403 for an account with another e-mail address than the one given by the proxy. */
  requireOwnAddress(request: IncomingMessage, email: string): void {
    if (this.#deps.trustedHeaders.contradicts(request, { email }))
      throw forbidden(
        'You can only make an account for the e-mail address the proxy in front of the gateway names.',
        {
          code: 'foreign_address',
        },
      )
  }

  #readPerson(request: IncomingMessage): Named {
    const identity = this.#deps.trustedHeaders.identityOf(request)
    if (!identity)
      throw badRequest(
        'The proxy in front of the gateway did not say who you are. Open the gateway by its usual address. An administrator can check ' +
          'the proxy, WEBUI_AUTH_TRUSTED_EMAIL_HEADER and TRUSTED_PROXIES.',
        { code: 'no_identity' },
      )
    const { email } = identity
    if (email === null)
      throw badRequest(
        `The proxy in front of the gateway has to name exactly one e-mail address in the header ${this.#deps.trustedHeaders.emailHeader}.`,
        { code: 'invalid_identity' },
      )
    return { ...identity, email }
  }

  /**
   * @NOTE If the proxy gives no role, the first account is created as by signing up: an
   *   administrator, with the setup code if the gateway requires one. If it gives a role, even the
   *   first account gets that one.
   */
  async #create(
    { email, name, role }: Named,
    request: IncomingMessage,
    setupCode: string | undefined,
  ): Promise<UserRecord> {
    const account = { name: name ?? email, email, isRegistration: true }
    const said = role === 'invalid' ? null : role
    if (said === null) await this.#deps.rules.requireSetupCode(setupCode, request)
    return createOrFind(this.#deps.users, email, () =>
      said === null || said === 'admin'
        ? this.#deps.createAccount({ ...account, role: said ?? this.#deps.newRole() })
        : this.#deps.users.create({ ...account, role: said }),
    )
  }

  async #applyRole(user: UserRecord, role: ProxyIdentity['role']): Promise<UserRecord> {
    if (role === null || role === user.role) return user
    if (role === 'invalid') {
      this.#deps.log.warn(
        { user_id: user.id },
        'the trusted role header contains no known role; the role was not changed',
      )
      return user
    }
    if (user.isFirst)
      this.#deps.log.warn(
        { user_id: user.id, role },
        'the trusted role header tried to change the role of the first administrator',
      )
    return this.#deps.users.update(user.id, { role }, { evenFirst: true })
  }
}
