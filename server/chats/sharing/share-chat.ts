import type { AccessControl, AccessGrant, AccessGrantRecord } from '#contract/access.ts'
import { randomInt } from 'node:crypto'
import { conflict, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { sliceEnd } from '../../lib/json/stringify-in-steps.ts'
import { requireChat, type ChatContext } from '../chat-context.ts'
import { readChat } from '../reading/read-chat.ts'
import type { ChatRow } from '../store.ts'
import type { ShareRow } from './store.ts'

interface AccessInput {
  readonly access_grants?: AccessGrant[] | null
  readonly access_control?: AccessControl
}

const EVERYBODY: AccessGrant = { principal_type: 'user', principal_id: '*', permission: 'read' }

const mayOpen = ({ permits }: ChatContext, caller: Caller): boolean | Promise<boolean> =>
  permits(caller, 'sharing.public_chats')

const PIECE_CHARACTERS = 256 * 1024
/** An id split across two pieces starts within this many characters of the end of the first. */
const CUT_ID_CHARACTERS = 35
/**
 * Maximum number of ids recorded for a chat; of a chat with more files, readers cannot see the
 * further ones.
 */
const MOST_MENTIONS = 5000
const LARGEST_VERSION = 2 ** 47
const ID = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g

/**
 * Stores the content of a link in pieces, in transactions that are as short as a slice; returns the
 * ids in it that may be file ids.
 */
async function* storePieces(
  { storage, store, shares }: ChatContext,
  chatId: string,
  version: number,
  texts: AsyncIterable<string>,
): AsyncGenerator<void, string> {
  const found = new Set<string>()
  let [text, before] = ['', '']
  const storePiece = async (end: number): Promise<void> => {
    const piece = text.slice(0, end)
    for (const [id] of (before + piece).matchAll(ID)) {
      if (
        found.size < MOST_MENTIONS &&
        !found.has(id) &&
        id !== chatId &&
        !(await store.link(chatId, id))
      )
        found.add(id)
    }
    await shares.insertPiece(chatId, version, piece)
    before = piece.slice(-CUT_ID_CHARACTERS)
    text = text.slice(end)
  }
  for await (const each of texts) {
    text += each
    yield
    while (text.length >= PIECE_CHARACTERS) {
      await storage.transaction(async () => {
        const end = performance.now() + storage.pace.milliseconds
        do await storePiece(sliceEnd(text, PIECE_CHARACTERS))
        while (text.length >= PIECE_CHARACTERS && performance.now() < end)
      })
      yield
    }
  }
  if (text !== '') await storePiece(text.length)
  return [...found].join(' ')
}

/**
 * Stores the new content of a chat's share link; in short steps. A new link is open to all
 * signed-in users if its owner may grant that, else to the named ones.
 */
export async function* shareChat(
  context: ChatContext,
  caller: Caller,
  chatId: string,
): AsyncGenerator<void, ChatRow> {
  const { storage, store, shares, announce } = context
  const { userId } = caller
  const is_open = Number(await mayOpen(context, caller))
  const before = await requireChat(context, userId, chatId)
  const id = before.share_id ?? newId()
  const version = randomInt(1, LARGEST_VERSION)
  shares.hold(version)
  try {
    const texts = readChat(context, chatId, { shownAs: { share_id: id, folder_id: null } })
    const mentions = yield* storePieces(context, chatId, version, texts)
    const shared = await storage.transaction(async () => {
      const chat = await requireChat(context, userId, chatId)
      // Of two concurrent calls the link of the first one is kept, with its content, which contains
      // the link's id.
      if (chat.share_id !== null && chat.share_id !== id) return chat
      if (chat.share_id === null && before.share_id !== null)
        throw conflict('The link to this chat has been removed. Share it again to get a new one.')
      const time = nowSeconds()
      const row = {
        id,
        chat_id: chatId,
        user_id: userId,
        is_open,
        snapshot: '',
        version,
        mentions,
        created_at: time,
        updated_at: time,
      }
      await shares.save(row)
      await store.updateChat(chatId, { share_id: id })
      return { ...chat, share_id: id }
    })
    announce.listChanged(shared, 'shared')
    return shared
  } finally {
    shares.release(version)
    yield* shares.removeOthers(chatId, (await shares.ofChat(chatId))?.version ?? 0)
  }
}

/** Deletes the link of a chat with all grants on it; resolves with false if there was none. */
export async function* unshareChat(
  context: ChatContext,
  userId: string,
  chatId: string,
): AsyncGenerator<void, boolean> {
  const { storage, store, shares, access, announce } = context
  const chat = await requireChat(context, userId, chatId)
  const { share_id: shareId } = chat
  if (shareId === null) return false
  await storage.transaction(async () => {
    await shares.remove(shareId)
    await store.updateChat(chatId, { share_id: null })
    await access.remove('chat', chatId)
  })
  announce.listChanged(chat, 'shared')
  yield* shares.removeOthers(chatId, 0)
  return true
}

/**
 * Returns a share the caller may read: with an open link all signed-in users, otherwise the owner
 * and those with a grant. Throws the same 404 in all other cases.
 */
export async function requireShare(
  { store, shares, access }: ChatContext,
  caller: Caller,
  shareId: string,
): Promise<ShareRow> {
  const share = await shares.get(shareId)
  const chat = share && (await store.chat(share.chat_id))
  const isThere = share !== undefined && chat !== undefined && chat.deleted_at === null
  const mayRead =
    isThere &&
    (share.is_open === 1 ||
      (await access.allows(
        caller,
        { type: 'chat', id: share.chat_id, ownerId: share.user_id },
        'read',
      )))
  if (!mayRead) throw notFound('This link no longer works. The chat may no longer be shared.')
  return share
}

/** Returns a share of the caller, by its id or by that of its chat. */
async function requireOwnShare(
  context: ChatContext,
  caller: Caller,
  id: string,
): Promise<ShareRow> {
  const share = (await context.shares.get(id)) ?? (await context.shares.ofChat(id))
  if (!share || share.user_id !== caller.userId)
    throw notFound('This chat is not shared, or is not yours.')
  await requireChat(context, caller.userId, share.chat_id)
  return share
}

/** Returns the access to a link as a list of grants; an open link is a public grant. */
export async function readAccess(
  context: ChatContext,
  caller: Caller,
  id: string,
): Promise<AccessGrantRecord[]> {
  const share = await requireOwnShare(context, caller, id)
  const narrow = (await context.access.describe('chat', share.chat_id)).access_grants
  if (share.is_open === 0) return narrow
  const resource = { resource_type: 'chat', resource_id: share.chat_id }
  return [{ id: share.id, ...resource, ...EVERYBODY, created_at: share.created_at }, ...narrow]
}

const isForEverybody = (grant: AccessGrant): boolean => grant.principal_id === '*'

/** Returns true if the link is open afterwards; undefined keeps the current state. */
function readOpenness({
  access_grants: grants,
  access_control: control,
}: AccessInput): boolean | undefined {
  if (grants) return grants.some(isForEverybody)
  return control === undefined ? undefined : control === null
}

/** Replaces the access to the link, from either spelling, and returns its chat. */
export async function updateAccess(
  context: ChatContext,
  caller: Caller,
  { id, input }: { id: string; input: AccessInput },
): Promise<ChatRow> {
  const share = await requireOwnShare(context, caller, id)
  const wanted = readOpenness(input)
  const chat = await requireChat(context, caller.userId, share.chat_id)
  if (wanted === undefined) return chat
  // An open link stays open for a caller who may not open it, as with all other grants.
  const isOpen = wanted && (share.is_open === 1 || (await mayOpen(context, caller)))
  const grants = input.access_grants?.filter((grant) => !isForEverybody(grant))
  await context.storage.transaction(async () => {
    await context.shares.setOpen(share.id, isOpen)
    const narrow = grants
      ? { access_grants: grants }
      : { access_control: input.access_control ?? {} }
    await context.access.replace(caller, { type: 'chat', id: share.chat_id }, narrow)
  })
  return chat
}
