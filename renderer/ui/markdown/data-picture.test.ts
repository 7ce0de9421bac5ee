import { expect, it } from 'vitest'
import { isDataPicture } from './data-picture.ts'

it.each(['png', 'jpeg', 'gif', 'webp'])(
  'takes a picture of the kind %s that came along',
  (kind) => {
    expect(isDataPicture(`data:image/${kind};base64,iVBORw0KGgo=`)).toBe(true)
  },
)

it.each([
  'data:image/svg+xml;base64,PHN2Zz4=',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:image/png,raw',
  'data:image/png;base64,a b',
  'data:image/png;charset=x;base64,aaaa',
  'https://elsewhere.example/data:image/png;base64,aaaa',
  `data:image/png;base64,${'a'.repeat(9 * 1024 * 1024)}`,
  undefined,
])('takes nothing else', (address) => {
  expect(isDataPicture(address)).toBe(false)
})
