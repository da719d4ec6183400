import { z } from 'zod'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagSpec } from '../flags.ts'
import { askOperator, OPERATOR_FLAG, operatorUrl } from '../operator-client.ts'
import { choice } from '../quote-flags.ts'
import { table } from '../table.ts'

const WEBHOOK: FlagSpec = { name: 'webhook', value: 'name', help: 'the webhook by its name in WEBHOOKS' }

const WebhookList = z.object({
  webhooks: z.array(
    z.object({ name: z.string(), host: z.string(), accepted: z.number(), refused: z.number() }),
  ),
})

/** Lists the webhooks of the service. */
export const webhooksListCommand: Command = {
  name: 'webhooks list',
  summary: "list the operator's webhooks, and their attempts since the service started",
  flags: [OPERATOR_FLAG],
  example: 'webhooks list --operator-url http://127.0.0.1:9464',
  run: async ({ flags, json, terminal, environment }) => {
    const url = new URL('webhooks/list', operatorUrl(flags, environment))
    const { webhooks } = await askOperator(url, WebhookList)
    if (json) terminal.printJson({ webhooks })
    else
      terminal.print(
        ...table(
          [
            { title: 'webhook' },
            { title: 'host' },
            { title: 'accepted', align: 'right' },
            { title: 'refused', align: 'right' },
          ],
          webhooks.map(({ name, host, accepted, refused }) => [name, host, `${accepted}`, `${refused}`]),
        ),
      )
    return EXIT.done
  },
}

const OUTCOMES = ['pending', 'accepted', 'abandoned'] as const

const Deliveries = z.object({
  notifications: z.array(
    z.object({
      eventId: z.string(),
      quoteId: z.string(),
      messageId: z.string().nullable(),
      revision: z.number(),
      createdAt: z.string(),
      outcome: z.enum(OUTCOMES),
      attempts: z.number(),
      nextAttemptAt: z.string().nullable(),
      last: z.object({ at: z.string(), result: z.string() }).nullable(),
    }),
  ),
  next: z.string().nullable(),
})

/** Lists what a webhook was told. */
export const webhooksLogCommand: Command = {
  name: 'webhooks log',
  summary: 'list what a webhook was told and what came of it, newest first',
  flags: [
    OPERATOR_FLAG,
    WEBHOOK,
    { name: 'outcome', value: OUTCOMES.join('|'), help: 'which notifications; default pending' },
    { name: 'limit', value: 'count', help: 'how many, at most 100; default 20' },
    { name: 'before', value: 'next', help: 'the page after the one that ended with this' },
  ],
  example: 'webhooks log --webhook shop --outcome abandoned',
  run: async ({ flags, json, terminal, environment }) => {
    const url = new URL('webhooks', operatorUrl(flags, environment))
    url.searchParams.set('webhook', flags.required('webhook'))
    url.searchParams.set('outcome', choice('outcome', flags, OUTCOMES) ?? 'pending')
    for (const name of ['limit', 'before']) {
      const value = flags.text(name)
      if (value !== undefined) url.searchParams.set(name, value)
    }
    const { notifications, next } = await askOperator(url, Deliveries)
    if (json) terminal.printJson({ notifications, next })
    else {
      terminal.print(
        ...table(
          [
            { title: 'event' },
            { title: 'quote' },
            { title: 'revision', align: 'right' },
            { title: 'attempts', align: 'right' },
            { title: 'last result' },
            { title: 'next attempt' },
          ],
          notifications.map(({ eventId, quoteId, revision, attempts, last, nextAttemptAt }) => [
            eventId,
            quoteId,
            `${revision}`,
            `${attempts}`,
            last === null ? 'none yet' : `${last.at} ${last.result}`,
            nextAttemptAt ?? '',
          ]),
        ),
      )
      if (next !== null) terminal.note(`there may be more: --before ${next}`)
    }
    return EXIT.done
  },
}

const TestOutcome = z.object({ isAccepted: z.boolean(), result: z.string() })

/** Sends a test message to a webhook; the outcome is the exit code. */
export const webhooksTestCommand: Command = {
  name: 'webhooks test',
  summary: 'send a signed message that tells of no transfer, and say what the receiver answers',
  flags: [OPERATOR_FLAG, WEBHOOK],
  example: 'webhooks test --webhook shop',
  run: async ({ flags, json, terminal, environment }) => {
    const url = new URL('webhooks/test', operatorUrl(flags, environment))
    const outcome = await askOperator(url, TestOutcome, { webhook: flags.required('webhook') })
    if (json) terminal.printJson(outcome)
    else terminal.print(`${outcome.isAccepted ? 'accepted' : 'refused'} ${outcome.result}`)
    return outcome.isAccepted ? EXIT.done : EXIT.failed
  },
}

/** Has a notification sent again. */
export const webhooksResendCommand: Command = {
  name: 'webhooks resend',
  summary: 'have an accepted or abandoned notification sent again, with the same id and text',
  flags: [
    OPERATOR_FLAG,
    WEBHOOK,
    { name: 'event-id', value: 'id', help: 'the notification, as the log names it' },
  ],
  example: 'webhooks resend --webhook shop --event-id msg_0BU3qvGk0pZCz6mGbQp5AYcW',
  run: async ({ flags, json, terminal, environment }) => {
    const url = new URL('webhooks/repeat', operatorUrl(flags, environment))
    const [webhook, eventId] = [flags.required('webhook'), flags.required('event-id')]
    await askOperator(url, z.object({}), { webhook, eventId })
    if (json) terminal.printJson({ webhook, eventId })
    else terminal.print(`${eventId} is sent again`)
    return EXIT.done
  },
}
