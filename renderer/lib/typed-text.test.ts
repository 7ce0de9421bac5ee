// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { TypedText } from './typed-text.ts'

afterEach(() => document.body.replaceChildren())

function addBox(markup: string): HTMLInputElement {
  document.body.insertAdjacentHTML('beforeend', markup)
  return [...document.querySelectorAll('input')].at(-1)!
}

test('what was typed is unsaved until it is as before, sent or gone', () => {
  const typed = new TypedText()
  const box = addBox('<form><input value="Garden"></form>')
  typed.begin(box)
  expect(typed.isUnsaved()).toBe(false)
  box.value = 'Orchard'
  typed.begin(box)
  expect(typed.isUnsaved()).toBe(true)
  box.value = 'Garden'
  expect(typed.isUnsaved()).toBe(false)
  box.value = 'Orchard'
  typed.settle(document.querySelector('form'))
  expect(typed.isUnsaved()).toBe(false)
  box.focus()
  typed.begin(box)
  box.value = 'Meadow'
  expect(typed.isUnsaved()).toBe(true)
  box.remove()
  expect(typed.isUnsaved()).toBe(false)
})

test('searches, choices and what is kept elsewhere are not missed', () => {
  const typed = new TypedText()
  for (const markup of [
    '<input type="search">',
    '<input role="combobox">',
    '<input type="checkbox">',
    '<div data-keeps-text><input></div>',
  ]) {
    const box = addBox(markup)
    typed.begin(box)
    box.value = 'typed'
  }
  expect(typed.isUnsaved()).toBe(false)
})
