// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Avatar } from './avatar.tsx'

afterEach(cleanup)

const PICTURE = '/api/v1/users/u1/profile/image'

test('initials stand there until the picture has come, and again where it does not come', () => {
  const { container } = render(<Avatar name="Ada Lovelace" id="u1" picture={PICTURE} />)
  const image = container.querySelector('img')!
  expect(container.textContent).toBe('AL')
  fireEvent.load(image)
  expect(container.textContent).toBe('')
  fireEvent.error(image)
  expect(container.textContent).toBe('AL')
  expect(container.querySelector('img')).toBeNull()
})

test('a webhook has its sign until its picture has come, and no picture of a stranger is asked for', () => {
  const { container, rerender } = render(
    <Avatar kind="webhook" name="Builds" id="w1" picture="/api/v1/channels/webhooks/w1/x" />,
  )
  expect(container.querySelector('svg')).not.toBeNull()
  fireEvent.load(container.querySelector('img')!)
  expect(container.querySelector('svg')).toBeNull()
  rerender(<Avatar kind="webhook" name="Builds" id="w1" picture="https://elsewhere.example/x" />)
  expect(container.querySelector('img')).toBeNull()
  expect(container.querySelector('svg')).not.toBeNull()
})
