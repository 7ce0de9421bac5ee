import { expect, test } from 'vitest'
import type { LdapServer } from '#contract/ldap.ts'
import { isSame, toDraft, toServer } from './directory-draft.ts'

const server: LdapServer = {
  label: 'University',
  host: 'ldap.example.org',
  port: 636,
  attribute_for_mail: 'mail',
  attribute_for_username: 'uid',
  app_dn: '',
  app_dn_password: '',
  search_base: 'dc=example',
  search_filters: '',
  use_tls: true,
  tls_mode: 'direct',
  certificate_path: '',
  validate_cert: true,
  ciphers: 'ALL',
}

test('what the form shows is what is sent back', () => {
  expect(toServer(toDraft(server))).toEqual(server)
  expect(isSame(toDraft(server), toDraft({ ...server, label: 'Other' }))).toBe(false)
})

test('a connection in the clear is a choice of its own, and switching back takes the usual way', () => {
  const clear = toDraft({ ...server, use_tls: false })
  expect(clear.security).toBe('none')
  expect(toServer(clear)).toMatchObject({ use_tls: false, tls_mode: 'auto' })
  expect(toServer({ ...clear, security: 'starttls' })).toMatchObject({
    use_tls: true,
    tls_mode: 'starttls',
  })
})
