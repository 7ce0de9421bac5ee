// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { afterEach, expect, it } from 'vitest'
import '../../../lib/i18n.ts'
import { chatViewStore } from '../chat-view-store.ts'
import { MessageArticle } from './message-article.tsx'
import { answer } from '../testing-chat.ts'

afterEach(() => {
  cleanup()
  getSelection()?.removeAllRanges()
  chatViewStore.setState({ tappedId: null })
})

const tapped = () => chatViewStore.getState().tappedId

function show(): void {
  render(
    <MessageArticle message={answer('a')}>
      <p>Words</p>
      <button type="button">Copy</button>
      <details>
        <summary>Thought</summary>
      </details>
      {createPortal(<p>In a menu</p>, document.body)}
    </MessageArticle>,
  )
}

it('a tap on the text shows the actions, and another hides them', () => {
  show()
  fireEvent.click(screen.getByText('Words'))
  expect(tapped()).toBe('a')
  expect(screen.getByRole('article').hasAttribute('data-tapped')).toBe(true)
  fireEvent.click(screen.getByText('Words'))
  expect(tapped()).toBeNull()
})

it.each(['Copy', 'Thought', 'In a menu'])('a tap on “%s” is none on the message', (words) => {
  show()
  fireEvent.click(screen.getByText(words))
  expect(tapped()).toBeNull()
})

it('a tap while text is selected leaves the message alone', () => {
  show()
  getSelection()?.selectAllChildren(screen.getByText('Words'))
  fireEvent.click(screen.getByText('Words'))
  expect(tapped()).toBeNull()
})
