// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { GUEST_HASH, takeGuestSecret } from './guest-link.ts'

it('takes the secret of a guest pass out of the address, so that it stays nowhere', () => {
  history.replaceState(null, '', `/?shared=x${GUEST_HASH}guest-of-the-test`)
  expect(takeGuestSecret()).toBe('guest-of-the-test')
  expect(location.hash).toBe('')
  expect(location.search).toBe('?shared=x')
  expect(takeGuestSecret()).toBe(null)
  history.replaceState(null, '', '/#other')
  expect(takeGuestSecret()).toBe(null)
  expect(location.hash).toBe('#other')
})
