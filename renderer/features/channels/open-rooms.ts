import type { ServerFrame } from '#contract/events.ts'
import { applyRoomFrame, refreshRoom, type Room } from './room.ts'

/** The channels on screen, usually one. */
class OpenRooms {
  readonly #rooms = new Set<Room>()

  add(room: Room): () => void {
    this.#rooms.add(room)
    return () => {
      this.#rooms.delete(room)
      room.typists.stop()
    }
  }

  handleFrame(frame: ServerFrame): void {
    if (frame.type !== 'events:channel') return
    for (const room of this.#rooms)
      if (room.channelId === frame.channel_id) applyRoomFrame(room, frame)
  }

  /** Reloads the channels after messages may have been missed. */
  refresh(): void {
    // A failed load is repeated on the next connection.
    for (const room of this.#rooms) void refreshRoom(room).catch(() => undefined)
  }
}

export const openRooms = new OpenRooms()
