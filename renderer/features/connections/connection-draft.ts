import type { Connection, ConnectionInput, LocalRuntime } from '#contract/connections.ts'
import { isRuntime, isTemplate, type ProviderPreset } from './presets.ts'
import { readAddress } from './read-address.ts'

/** The form of a connection, with all fields as typed. */
export interface ConnectionDraft {
  readonly kind: Connection['kind']
  readonly name: string
  readonly url: string
  /** Empty keeps a stored key. */
  readonly key: string
  readonly removeKey: boolean
  readonly enabled: boolean
  readonly prefix: string
  /** One model id per line. */
  readonly models: string
  /** One `Name: value` per line. */
  readonly headers: string
  readonly timeout: string
  readonly access: Connection['access']
  readonly useProxy: boolean
  /** SHA-256 of the one certificate trusted in addition to those of authorities. */
  readonly trustedCertificate: string | null
}

export const NEW_CONNECTION: ConnectionDraft = Object.freeze({
  kind: 'compatible',
  name: '',
  url: '',
  key: '',
  removeKey: false,
  enabled: true,
  prefix: '',
  models: '',
  headers: '',
  timeout: '60',
  access: 'granted',
  useProxy: true,
  trustedCertificate: null,
})

/**
 * Returns the draft of a new connection. A gateway's first one is proposed for everyone, because
 * otherwise only administrators could use it.
 */
export const startDraft = (connections: readonly Connection[]): ConnectionDraft =>
  connections.every(({ origin }) => origin === 'found' || origin === 'built-in')
    ? { ...NEW_CONNECTION, access: 'everybody' }
    : NEW_CONNECTION

/**
 * Returns the draft for a known provider: everything except the key, and the variable part of the
 * URL.
 */
export const fromPreset = (
  { kind, name, url }: ProviderPreset,
  blank: ConnectionDraft,
): ConnectionDraft => ({ ...blank, kind, name, url })

/** Returns true if a draft differs from its initial state. */
export const isTouched = (draft: ConnectionDraft, start: ConnectionDraft): boolean =>
  Object.keys(start).some((field) => {
    const key = field as keyof ConnectionDraft
    return draft[key] !== start[key]
  })

/** True if a preset only needs a key. */
export const needsKeyAlone = (preset: ProviderPreset | null): boolean =>
  preset !== null && !isTemplate(preset) && !isRuntime(preset)

/** Returns the draft for a runtime found on this computer. */
export const fromLocalRuntime = (
  { kind, name, url }: LocalRuntime,
  blank: ConnectionDraft,
): ConnectionInput => fromDraft({ ...blank, kind, name, url })

export const toDraft = (connection: Connection): ConnectionDraft => ({
  kind: connection.kind,
  name: connection.name,
  url: connection.url,
  key: '',
  removeKey: false,
  enabled: connection.enabled,
  prefix: connection.prefix_id,
  models: connection.model_ids.join('\n'),
  headers: Object.entries(connection.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
  timeout: String(connection.timeout_seconds),
  access: connection.access,
  useProxy: connection.use_proxy,
  trustedCertificate: connection.trusted_certificate,
})

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Parses `Name: value` lines; a line without a colon is a header without a value. */
export function parseHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    lines(text).map((line) => {
      const colon = line.indexOf(':')
      return colon === -1 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}

/** Returns the URL's host, as a default name. */
function nameFrom(url: string): string {
  return URL.parse(url)?.host ?? url
}

/**
 * Returns the connection to send. It contains the key only if one was typed or is to be removed.
 */
export function fromDraft(draft: ConnectionDraft): ConnectionInput {
  const url = readAddress(draft.url, draft.kind)
  const key = draft.removeKey ? '' : draft.key.trim() || undefined
  return {
    kind: draft.kind,
    name: draft.name.trim() || nameFrom(url),
    url,
    enabled: draft.enabled,
    prefix_id: draft.prefix.trim(),
    model_ids: lines(draft.models),
    headers: parseHeaders(draft.headers),
    timeout_seconds: Math.trunc(Number(draft.timeout)) || 60,
    access: draft.access,
    use_proxy: draft.useProxy,
    trusted_certificate: draft.trustedCertificate,
    ...(key !== undefined && { key }),
  }
}
