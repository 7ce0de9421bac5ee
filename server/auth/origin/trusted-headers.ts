import type { IncomingMessage } from 'node:http'
import { emailSchema, roleSchema, type Role } from '#contract/common.ts'
import type { Config } from '../../config/config.ts'
import type { Settings } from '../../settings/index.ts'
import { leavesTrace, type Peers } from './peers.ts'

/** Identity of the user of a request, according to a listed proxy. */
export interface ProxyIdentity {
  /** Null if the header does not contain exactly one e-mail address. */
  readonly email: string | null
  /** Null if the header is missing or empty. */
  readonly name: string | null
  /** Names of groups; null if not given. */
  readonly groups: readonly string[] | null
  /** Null if no role is given, `invalid` for an unknown one. */
  readonly role: Role | 'invalid' | null
}

/** Data found in a request before its headers were removed. */
interface Taken {
  readonly identity: ProxyIdentity | null
  /** True if one of the removed headers shows a proxy, as `X-Forwarded-Email` does. */
  readonly hasTrace: boolean
}

const LONGEST_NAME = 200
const MOST_GROUPS = 1000
const NOTHING: Taken = Object.freeze({ identity: null, hasTrace: false })

/** Node reads headers as Latin-1; proxies write UTF-8. */
function decodeHeader(value: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is the same in both
  if (/^[\x00-\x7f]*$/.test(value)) return value
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/**
 * Returns one e-mail address, or null. Refuses characters that join or quote addresses, and letters
 * that another normal form or lower case would turn into those of another user's address.
 */
export function readHeaderEmail(value: string): string | null {
  const text = decodeHeader(value).trim()
  if (text.normalize('NFKC') !== text || /[\p{C}\s,;:<>()[\]"\\]/u.test(text)) return null
  const { data } = emailSchema.safeParse(text)
  return data !== undefined && data.normalize('NFKC') === data ? data : null
}

/** A name may be percent-encoded, because headers are plain ASCII. */
function readName(value: string): string | null {
  let text = decodeHeader(value)
  try {
    text = decodeURIComponent(text)
  } catch {
    // The percent sign is part of the name.
  }
  const name = text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed()
  return name === '' ? null : name
}

function readGroups(value: string): readonly string[] | null {
  const names = decodeHeader(value)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? null : names.slice(0, MOST_GROUPS)
}

function readRole(value: string): ProxyIdentity['role'] {
  const text = value.trim().toLowerCase()
  return text === '' ? null : (roleSchema.safeParse(text).data ?? 'invalid')
}

/** @NOTE Caddy leaves its placeholder if the identity provider sent no such header. */
const isBlank = (value: string): boolean => /^\s*(?:\{http\.[\w.-]+\})?\s*$/.test(value)

/** Settings of the header names. */
type HeaderKey = `WEBUI_AUTH_TRUSTED_${'EMAIL' | 'NAME' | 'GROUPS' | 'ROLE'}_HEADER`

/** Returns the header names that are set; none in the desktop app, which has no proxy in front. */
function readNames(config: Pick<Config, 'mode'>, settings: Settings<HeaderKey>) {
  const read = (key: HeaderKey): string =>
    config.mode === 'desktop' ? '' : settings.get(key).trim().toLowerCase()
  return {
    email: read('WEBUI_AUTH_TRUSTED_EMAIL_HEADER'),
    name: read('WEBUI_AUTH_TRUSTED_NAME_HEADER'),
    groups: read('WEBUI_AUTH_TRUSTED_GROUPS_HEADER'),
    role: read('WEBUI_AUTH_TRUSTED_ROLE_HEADER'),
  }
}

/**
 * Reads the identity a proxy in front gives to a request, and removes these headers from the
 * request, so that no later code can log, forward or trust them. They count only from peers in
 * `TRUSTED_PROXIES`, by their exact names, and each only if it is present once.
 */
export class TrustedHeaders {
  readonly #names: ReturnType<typeof readNames>
  readonly #all: ReadonlySet<string>
  readonly #peers: Pick<Peers, 'isListed'>
  readonly #taken = new WeakMap<IncomingMessage, Taken>()

  constructor({
    config,
    settings,
    peers,
  }: {
    config: Pick<Config, 'mode'>
    settings: Settings<HeaderKey>
    peers: Pick<Peers, 'isListed'>
  }) {
    this.#names = readNames(config, settings)
    this.#all = new Set(Object.values(this.#names).filter((name) => name !== ''))
    this.#peers = peers
  }

  /** True if users are signed in by their proxy. */
  get isOn(): boolean {
    return this.#names.email !== ''
  }

  /** Name of the header with the e-mail address, for messages. */
  get emailHeader(): string {
    return this.#names.email
  }

  /** Removes the headers from a request; runs first for every request and upgrade. */
  take(request: IncomingMessage): void {
    if (this.#all.size > 0) this.#take(request)
  }

  /** Returns null if the request is from no listed peer, or without the header. */
  identityOf(request: IncomingMessage): ProxyIdentity | null {
    return this.#all.size === 0 ? null : this.#take(request).identity
  }

  /** Returns true if a removed header shows a proxy. */
  hasTrace(request: IncomingMessage): boolean {
    return this.#all.size > 0 && this.#take(request).hasTrace
  }

  /**
   * Returns true if the proxy names another user as the author of the request, or sends an
   * unreadable identity.
   */
  contradicts(request: IncomingMessage, { email }: { readonly email: string }): boolean {
    const identity = this.identityOf(request)
    return identity !== null && identity.email !== email.toLowerCase()
  }

  #take(request: IncomingMessage): Taken {
    const known = this.#taken.get(request)
    if (known) return known
    const found = this.#remove(request)
    const taken =
      found.size === 0
        ? NOTHING
        : { identity: this.#read(request, found), hasTrace: [...found.keys()].some(leavesTrace) }
    this.#taken.set(request, taken)
    return taken
  }

  /** Returns every value of each header, in the order of the request. */
  #remove(request: IncomingMessage): Map<string, string[]> {
    const found = new Map<string, string[]>()
    const kept: string[] = []
    const { rawHeaders } = request
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const [name, value] = [rawHeaders[index]!, rawHeaders[index + 1]!]
      const lower = name.toLowerCase()
      if (!this.#all.has(lower)) kept.push(name, value)
      else found.set(lower, [...(found.get(lower) ?? []), value])
    }
    if (found.size === 0) return found
    // Both are derived from the raw ones when they are first read, which is now.
    for (const name of found.keys()) {
      delete request.headers[name]
      delete request.headersDistinct[name]
    }
    request.rawHeaders = kept
    return found
  }

  #read(request: IncomingMessage, found: ReadonlyMap<string, string[]>): ProxyIdentity | null {
    const emails = found.get(this.#names.email) ?? []
    if (emails.every(isBlank) || !this.#peers.isListed(request)) return null
    const single = (name: string): string => {
      const values = found.get(name) ?? []
      return values.length === 1 && !isBlank(values[0]!) ? values[0]! : ''
    }
    const hasSeveralRoles = (found.get(this.#names.role)?.length ?? 0) > 1
    return {
      email: readHeaderEmail(single(this.#names.email)),
      name: readName(single(this.#names.name)),
      groups: readGroups(single(this.#names.groups)),
      role: hasSeveralRoles ? 'invalid' : readRole(single(this.#names.role)),
    }
  }
}
