export const USAGE = `npm run events -- <command> [options]

  dead-letters            events that a service could not handle, oldest first
  redrive                 asks the running services to handle dead letters again, each once more
  publish-again           sends what the outboxes still hold (a day) once more, in its order: after a restore, or
                          when Kafka has lost its topics; what was handled has no second effect
  tail                    shows events as they are published, until Ctrl-C

Which ones (dead-letters, redrive, publish-again; without any: all):
  --group <service>       of one service, such as notifications
  --topic <event>         of one kind of event, such as status-changed (not publish-again; tail: this kind only)
  --id <event id>         a single one

  --count <n>             tail: ends after so many events
  --help                  this text

Where: the database of DATABASE_URL (as the owner of the schemas), else the one that "npm start" or
"npm run start:distributed" runs now on DATA_DIR (.casewatch). tail reads Kafka where KAFKA_BROKERS is set, else the
outboxes in the database.

Exit code: 0 done; 1 it could not be done, or no dead letter has that --id; 2 the words were wrong.`;
