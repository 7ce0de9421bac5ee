import { expect, test } from 'vitest'
import { toDisposition } from './to-disposition.ts'

test('the name of a download is given in ASCII and exactly', () => {
  expect(toDisposition('Plan.pdf')).toBe(
    `attachment; filename="Plan.pdf"; filename*=UTF-8''Plan.pdf`,
  )
  expect(toDisposition('報告 (1).txt', 'inline')).toBe(
    `inline; filename="__ (1).txt"; filename*=UTF-8''%E5%A0%B1%E5%91%8A%20%281%29.txt`,
  )
})

test('no name ends its parameter or the header, and half a character is replaced', () => {
  expect(toDisposition('a"; b\r\nX: %.txt')).toBe(
    `attachment; filename="a_; b__X: _.txt"; filename*=UTF-8''a%22%3B%20b%0D%0AX%3A%20%25.txt`,
  )
  expect(toDisposition('\ud800.txt')).toContain(`UTF-8''%EF%BF%BD.txt`)
})
