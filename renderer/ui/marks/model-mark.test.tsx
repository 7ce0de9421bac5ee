// @vitest-environment jsdom
import { cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import { noteOwnPictures } from '../../api/model-picture.ts'
import { ModelMark } from './model-mark.tsx'

afterEach(() => {
  cleanup()
  noteOwnPictures([])
})

const modelOf = (id: string, meta: object, preset?: true): Model =>
  ({ id, preset, info: { meta } }) as unknown as Model

const mark = (): Element | null => document.querySelector('[data-mark] path')
const picture = (): string | null => document.querySelector('img')?.getAttribute('src') ?? null

test('a model of a known family has its mark, and never the letter before it', async () => {
  render(<ModelMark id="claude-sonnet-4-5" />)
  expect(picture()).toBeNull()
  await waitFor(() => expect(mark()).not.toBeNull())
  expect(picture()).toBeNull()
})

test('a model of no known family has the picture drawn by the gateway', async () => {
  render(<ModelMark id="aurora-small" />)
  await waitFor(() => expect(picture()).toContain('id=aurora-small'))
})

test('a stored picture stands before the mark of the family', () => {
  const stored = { profile_image_url: '/api/v1/models/model/profile/image?id=gpt-5' }
  noteOwnPictures([modelOf('gpt-5', stored)])
  render(<ModelMark id="gpt-5" />)
  expect(picture()).toContain('id=gpt-5')
})

test('a model created here is not shown as its family, and one with another address is', async () => {
  noteOwnPictures([
    modelOf('claude-for-contracts', {}, true),
    modelOf('gpt-5', { profile_image_url: '/static/favicon.png' }),
  ])
  render(<ModelMark id="claude-for-contracts" />)
  expect(picture()).toContain('id=claude-for-contracts')
  cleanup()
  render(<ModelMark id="gpt-5" />)
  await waitFor(() => expect(mark()).not.toBeNull())
})

test('a picture that cannot be loaded leaves a sign instead of a broken picture', async () => {
  render(<ModelMark id="new" />)
  await waitFor(() => expect(picture()).toContain('id=new'))
  fireEvent.error(document.querySelector('img')!)
  expect(picture()).toBeNull()
  expect(document.querySelector('[data-mark] .lucide-bot')).not.toBeNull()
})

test('a picture that is not stored yet is shown', () => {
  render(<ModelMark id="gpt-5" address="data:image/png;base64,AAAA" />)
  expect(picture()).toBe('data:image/png;base64,AAAA')
})
