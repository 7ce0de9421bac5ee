import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DEFAULT_PERMISSIONS } from '#contract/permissions.ts'
import {
  keepKnown,
  mergePermissions,
  overlayPermissions,
  readPermission,
} from './merge-permissions.ts'

const NAMES = Object.entries(DEFAULT_PERMISSIONS).flatMap(([branch, keys]) =>
  Object.keys(keys).map((key) => [branch, key] as const),
)
const HOSTILE = [
  ['__proto__', 'toString'],
  ['constructor', 'name'],
  ['chat', 'hasOwnProperty'],
] as const

const part = fc
  .array(fc.tuple(fc.constantFrom(...NAMES, ...HOSTILE), fc.boolean()), { maxLength: 30 })
  .map((entries) => {
    const tree = Object.create(null) as Record<string, Record<string, boolean>>
    for (const [[branch, key], value] of entries) tree[branch] = { ...tree[branch], [key]: value }
    return tree
  })

it('the most permissive of defaults and groups wins, in any order of the groups', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const merged = mergePermissions(...parts)
      expect(mergePermissions(...parts.toReversed())).toEqual(merged)
      for (const [branch, key] of NAMES) {
        expect(readPermission(merged, branch, key)).toBe(
          parts.some((each) => each[branch]?.[key] === true),
        )
      }
    }),
  )
})

it('a further group never takes anything away', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), part, (parts, further) => {
      const before = mergePermissions(...parts)
      const after = mergePermissions(...parts, further)
      for (const [branch, key] of NAMES)
        expect(
          readPermission(before, branch, key) === true && !readPermission(after, branch, key),
        ).toBe(false)
    }),
  )
})

it('of an overlay the last part that names something decides, and unknown names are left out', () => {
  fc.assert(
    fc.property(part, part, (first, second) => {
      const tree = overlayPermissions(DEFAULT_PERMISSIONS, first, second)
      expect(Object.keys(tree)).toEqual(Object.keys(DEFAULT_PERMISSIONS))
      for (const [branch, key] of NAMES) {
        const expected =
          second[branch]?.[key] ??
          first[branch]?.[key] ??
          readPermission(DEFAULT_PERMISSIONS, branch, key)
        expect(readPermission(tree, branch, key)).toBe(expected)
      }
    }),
  )
})

it('what a group stores is what counts of what was sent', () => {
  fc.assert(
    fc.property(part, (sent) => {
      const kept = keepKnown(sent)
      expect(mergePermissions(kept)).toEqual(mergePermissions(sent))
      expect(Object.keys(kept).every((branch) => Object.hasOwn(DEFAULT_PERMISSIONS, branch))).toBe(
        true,
      )
    }),
  )
})
