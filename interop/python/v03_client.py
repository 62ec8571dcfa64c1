"""The client of a2a-sdk 0.3."""

import grpc
import httpx

from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientHTTPError, A2AClientJSONRPCError
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    Message,
    MessageSendConfiguration,
    PushNotificationConfig,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
)
from lines import grpc_failure

CODES = {
    -32001: 'TASK_NOT_FOUND',
    -32002: 'TASK_NOT_CANCELABLE',
    -32003: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    -32004: 'UNSUPPORTED_OPERATION',
    -32005: 'CONTENT_TYPE_NOT_SUPPORTED',
    -32006: 'INVALID_AGENT_RESPONSE',
    -32007: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    -32600: 'INVALID_REQUEST',
    -32601: 'METHOD_NOT_FOUND',
    -32602: 'INVALID_PARAMS',
    -32603: 'INTERNAL',
}


class Clients:
    def __init__(self):
        self._known = {}
        self.operations = {
            'connect': self._connect,
            'send': self._send,
            'stream': self._stream,
            'get': self._get,
            'cancel': self._cancel,
            'subscribe': self._subscribe,
            'createPush': self._create_push,
            'getPush': self._get_push,
            'extendedCard': self._extended_card,
        }

    async def _connect(self, command, _):
        http = httpx.AsyncClient(timeout=60)
        card = await A2ACardResolver(http, command['url']).get_agent_card()
        made = {
            streaming: ClientFactory(
                ClientConfig(
                    streaming=streaming,
                    httpx_client=http,
                    grpc_channel_factory=grpc.aio.insecure_channel,
                    supported_transports=[command['binding']],
                )
            ).create(card)
            for streaming in (False, True)
        }
        name = f'c{len(self._known) + 1}'
        self._known[name] = made
        return {'client': name, 'card': plain(card)}

    def _of(self, command, streaming=False):
        return self._known[command['client']][streaming]

    async def _send(self, command, _):
        message = Message.model_validate(command['message'])
        configuration = MessageSendConfiguration(blocking=command.get('wait', True))
        async for answer in self._of(command).send_message(message, configuration=configuration):
            return event_of(answer)

    async def _stream(self, command, emit):
        async for event in self._of(command, True).send_message(Message.model_validate(command['message'])):
            emit(event_of(event))

    async def _get(self, command, _):
        return plain(await self._of(command).get_task(TaskQueryParams(id=command['taskId'])))

    async def _cancel(self, command, _):
        return plain(await self._of(command).cancel_task(TaskIdParams(id=command['taskId'])))

    async def _subscribe(self, command, emit):
        async for event in self._of(command, True).resubscribe(TaskIdParams(id=command['taskId'])):
            emit(event_of(event))

    async def _create_push(self, command, _):
        config = PushNotificationConfig(id=command['configId'], url=command['url'], token='interop')
        request = TaskPushNotificationConfig(task_id=command['taskId'], push_notification_config=config)
        return plain(await self._of(command).set_task_callback(request))

    async def _get_push(self, command, _):
        request = GetTaskPushNotificationConfigParams(
            id=command['taskId'], push_notification_config_id=command['configId']
        )
        return plain(await self._of(command).get_task_callback(request))

    async def _extended_card(self, command, _):
        return plain(await self._of(command).get_card())


def event_of(answer):
    """The kit gives the task as it is by then beside each update."""
    if isinstance(answer, tuple):
        task, update = answer
        return plain(update or task)
    return plain(answer)


def plain(model):
    return model.model_dump(mode='json', by_alias=True, exclude_none=True)


def failure(error):
    """JSON-RPC errors have their code; of others the kit keeps the HTTP status alone."""
    if isinstance(error, A2AClientJSONRPCError):
        return {'code': CODES.get(error.error.code, str(error.error.code))}
    if isinstance(error, A2AClientHTTPError):
        return {'status': error.status_code}
    return grpc_failure(error)
