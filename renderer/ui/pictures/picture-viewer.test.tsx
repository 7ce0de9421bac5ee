// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { samplePicture } from '../../testing/picture-samples.ts'
import { TooltipProvider } from '../floating/tooltip.tsx'
import { PictureViewer } from './picture-viewer.tsx'
import { forgetPictures, showPictures, shownPicturesStore } from './shown-pictures.ts'

afterEach(() => {
  cleanup()
  forgetPictures()
  vi.unstubAllGlobals()
})

function open(rights = { mayMake: true, mayEdit: true }) {
  const gateway = fakeGateway({
    'GET /api/v1/images/gallery/p1': samplePicture({ chat_id: 'c1', message_id: 'm1' }),
    'GET /api/v1/images/gallery/p2': samplePicture({ id: 'p2', prompt: 'A second boat' }),
  })
  const entries = ['p1', 'p2', 'gone'].map((id) => ({
    id,
    url: `/api/v1/files/${id}/content`,
    name: `${id}.png`,
  }))
  showPictures({ entries, index: 0, place: null, rights, isEditing: false })
  render(
    <TooltipProvider>
      <PictureViewer />
    </TooltipProvider>,
  )
  return gateway
}

const press = (key: string) => fireEvent.keyDown(screen.getByRole('dialog'), { key })

it('arrows turn the pages, each picture is named by its prompt, and Escape closes', async () => {
  open()
  expect(await screen.findByRole('img', { name: 'A boat' })).toBeTruthy()
  press('ArrowRight')
  expect(await screen.findByRole('img', { name: 'A second boat' })).toBeTruthy()
  press('End')
  expect(screen.getByRole('img', { name: 'gone.png' })).toBeTruthy()
  press('ArrowRight')
  expect(screen.getByText('3 of 3')).toBeTruthy()
  press('Home')
  expect(await screen.findByRole('link', { name: 'Go to chat' })).toBeTruthy()
  press('Escape')
  expect(shownPicturesStore.getState().shown).toBeNull()
})

it('a change is asked for in words, and arrows belong to the words while somebody writes', async () => {
  const gateway = open()
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  const box = screen.getByRole('textbox')
  fireEvent.keyDown(box, { key: 'ArrowRight' })
  expect(screen.getByText('1 of 3')).toBeTruthy()
  fireEvent.change(box, { target: { value: 'Make it winter' } })
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(gateway.calls.find(({ path }) => path === '/api/v1/images/edit')?.body).toMatchObject({
    image: '/api/v1/files/p1/content',
    prompt: 'Make it winter',
  })
})

it('nothing is offered that is not permitted', () => {
  open({ mayMake: false, mayEdit: false })
  expect(screen.queryByRole('button', { name: 'Create again with another seed' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy()
})
