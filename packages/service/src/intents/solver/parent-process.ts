import type { ModeSwitch } from './modes.ts'

/** The IPC channel of a forked process; a process without a parent has no `send`. */
export type Channel = {
  readonly on: ((event: 'message', listener: (message: unknown) => void) => unknown) &
    ((event: 'disconnect', listener: () => void) => unknown)
  readonly send?: ((message: object) => unknown) | undefined
}

/**
 * Connects to the process that forked this one, if any: handles `{mode}` messages and answers the current mode, and
 * calls `onGone` once when the parent has ended. The returned function notifies the parent, once, that quotes stand.
 */
export const followParent = ({
  channel,
  modes,
  onGone,
}: {
  readonly channel: Channel
  readonly modes: ModeSwitch
  readonly onGone: () => void
}): (() => void) => {
  const { send } = channel
  if (send === undefined) return () => undefined
  const notifyParent = (message: object): void => {
    try {
      send.call(channel, message)
    } catch {
      // The parent is gone; `disconnect` reports it too.
    }
  }
  channel.on('message', (message) => {
    if (modes.receive(message)) notifyParent({ mode: modes.mode() })
  })
  channel.on('disconnect', onGone)
  let notified = false
  return () => {
    if (notified) return
    notified = true
    notifyParent({ quoting: true })
  }
}
