import type { ModeSwitch } from './modes.ts'

/** The ends of an IPC channel as a process that was forked has them; a process without a parent has no `send`. */
export type Channel = {
  readonly on: ((event: 'message', listener: (message: unknown) => void) => unknown) &
    ((event: 'disconnect', listener: () => void) => unknown)
  readonly send?: ((message: object) => unknown) | undefined
}

/**
 * Follows the process that forked this one, if one did: takes `{mode}` and answers the mode in force, and calls `onGone`
 * once when the parent has ended, however it did. The given-back function tells the parent, once, that quotes stand.
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
      // The parent is gone; `disconnect` says so too.
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
