import type { LdapServer } from '#contract/ldap.ts'

/** Encryption of the connection; `none` is unencrypted. */
export type Security = LdapServer['tls_mode'] | 'none'
export const SECURITIES: readonly Security[] = Object.freeze(['auto', 'starttls', 'direct', 'none'])

/** The directory settings in the form's representation. */
export interface DirectoryDraft extends Omit<LdapServer, 'port' | 'use_tls' | 'tls_mode'> {
  /** Port as typed. */
  readonly port: string
  readonly security: Security
}

export function toDraft({ port, use_tls, tls_mode, ...rest }: LdapServer): DirectoryDraft {
  return { ...rest, port: String(port), security: use_tls ? tls_mode : 'none' }
}

/**
 * Converts the draft to the settings to send; with `none`, the default TLS mode is kept for when
 * TLS is enabled again.
 */
export function toServer({ port, security, ...rest }: DirectoryDraft): LdapServer {
  const isClear = security === 'none'
  return { ...rest, port: Number(port), use_tls: !isClear, tls_mode: isClear ? 'auto' : security }
}

export const isSame = (left: DirectoryDraft, right: DirectoryDraft): boolean =>
  (Object.keys(left) as (keyof DirectoryDraft)[]).every((key) => left[key] === right[key])
