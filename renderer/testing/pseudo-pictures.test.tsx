// @vitest-environment jsdom
import './browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PicturesScreen } from '../app/screens/pictures-screen.tsx'
import { sessionStore } from '../app/stores.ts'
import { EDITING, keysOf, MAKING, type Purpose } from '../features/picture-settings/engine-keys.ts'
import { PictureSettingsPage } from '../features/picture-settings/picture-settings-page.tsx'
import { createSettingsStore } from '../ui/settings/settings-store.ts'
import { setLanguage } from '../lib/i18n.ts'
import { AnswerPictures, PictureInMaking } from '../ui/pictures/answer-pictures.tsx'
import { PictureViewer } from '../ui/pictures/picture-viewer.tsx'
import { forgetPictures, showPictures } from '../ui/pictures/shown-pictures.ts'
import { TooltipProvider } from '../ui/floating/tooltip.tsx'
import { answers, config } from './answers-without-letters.ts'
import { user } from './people-samples.ts'
import { fakeGateway } from './fake-gateway.ts'
import { samplePicture } from './picture-samples.ts'
import { plainEnglish } from './plain-english.ts'

const show = (children: ReactNode) => render(<TooltipProvider>{children}</TooltipProvider>)
const rights = { mayMake: true, mayEdit: true }
const picture = samplePicture({
  id: '1',
  prompt: '2',
  model: '3',
  steps: 4,
  kind: 'edited',
  chat_id: '5',
  created_at: 6,
  filename: '7',
})
const entry = { id: picture.id, url: picture.url, name: picture.filename }

/** The date of a picture is formatted by the platform. */
const inWords = (): string[] => plainEnglish().filter((text) => !/\b1970\b/.test(text))

const row = (key: string, part: Record<string, unknown> = {}) => ({
  key,
  type: 'string',
  value: '',
  default: '',
  origin: 'stored',
  locked: false,
  secret: false,
  is_set: true,
  help: '8',
  group: 'network',
  ...part,
})
const rowsOf = (purpose: Purpose, kind: 'comfyui' | 'automatic1111') => [
  ...keysOf(purpose, kind).map((key) =>
    row(key, { secret: key.endsWith('KEY') || key.endsWith('AUTH') }),
  ),
  row(purpose.isOn, { type: 'boolean', value: true }),
  row(purpose.engine, { value: kind }),
]

beforeEach(async () => {
  await setLanguage('en-XA')
  sessionStore.setState({
    status: 'signed-in',
    user,
    config: { ...config, features: { enable_image_generation: true, enable_image_edit: true } },
  })
})
afterEach(async () => {
  cleanup()
  forgetPictures()
  await setLanguage('en')
  vi.unstubAllGlobals()
})

test('the gallery says everything in the words of the locale files, empty and filled', async () => {
  fakeGateway({ 'GET /api/v1/images/gallery': { items: [], total: 0 } })
  show(<PicturesScreen />)
  await vi.waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull())
  expect(inWords()).toEqual([])
  cleanup()
  fakeGateway({ 'GET /api/v1/images/gallery': { items: [picture], total: 40 } })
  show(<PicturesScreen />)
  fireEvent.keyDown((await screen.findAllByRole('button', { expanded: false }))[0]!, {
    key: 'Enter',
  })
  expect(screen.getAllByRole('menuitem')).toHaveLength(7)
  expect(inWords()).toEqual([])
})

test('pictures of an answer, in the making and looked at', async () => {
  fakeGateway({ 'GET /api/v1/images/gallery/1': picture })
  showPictures({
    entries: [entry, { ...entry, id: '2' }],
    index: 0,
    place: null,
    rights,
    isEditing: true,
  })
  show(
    <>
      <AnswerPictures entries={[entry]} place={null} rights={rights} />
      <PictureInMaking description="1" done={1} total={2} />
      <PictureViewer />
    </>,
  )
  await screen.findByText('2', { selector: 'p' })
  expect(inWords()).toEqual([])
})

test('the settings of each kind of engine', async () => {
  for (const kind of ['comfyui', 'automatic1111'] as const) {
    fakeGateway({
      ...answers,
      'GET /api/v1/settings': [
        ...rowsOf(MAKING, kind),
        ...rowsOf(EDITING, 'comfyui'),
        row('ENABLE_IMAGE_PROMPT_GENERATION', { type: 'boolean' }),
      ],
      'GET /api/v1/images/models': [],
    })
    show(<PictureSettingsPage store={createSettingsStore()} onChanged={() => undefined} />)
    await vi.waitFor(() => expect(document.querySelectorAll('form').length).toBeGreaterThan(1))
    expect(inWords()).toEqual([])
    cleanup()
  }
})
