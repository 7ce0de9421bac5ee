import type { LdapServer } from '#contract/ldap.ts'

/** How the connection is kept from others; `none` is in the clear. */
export type Security = LdapServer['tls_mode'] | 'none'
export const SECURITIES: readonly Security[] = Object.freeze(['auto', 'starttls', 'direct', 'none'])

/** The settings of the directory as the form holds them. */
export interface DirectoryDraft extends Omit<LdapServer, 'port' | 'use_tls' | 'tls_mode'> {
  /** As it was typed. */
  readonly port: string
  readonly security: Security
}

export function toDraft({ port, use_tls, tls_mode, ...rest }: LdapServer): DirectoryDraft {
  return { ...rest, port: String(port), security: use_tls ? tls_mode : 'none' }
}

/** What is sent; the usual way is kept for when TLS is switched on again. */
export function toServer({ port, security, ...rest }: DirectoryDraft): LdapServer {
  const isClear = security === 'none'
  return { ...rest, port: Number(port), use_tls: !isClear, tls_mode: isClear ? 'auto' : security }
}

export const isSame = (left: DirectoryDraft, right: DirectoryDraft): boolean =>
  (Object.keys(left) as (keyof DirectoryDraft)[]).every((key) => left[key] === right[key])
