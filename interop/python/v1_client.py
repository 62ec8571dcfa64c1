"""The client of a2a-sdk 1.x, for A2A 1.0 and for 0.3 by its compatibility layer."""

import grpc
import httpx

from google.protobuf.json_format import MessageToDict, ParseDict

from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import A2A_ERROR_MAPPING


class Clients:
    def __init__(self):
        self._known = {}
        self.operations = {
            'connect': self._connect,
            'send': self._send,
            'stream': self._stream,
            'get': self._get,
            'list': self._list,
            'cancel': self._cancel,
            'subscribe': self._subscribe,
            'createPush': self._create_push,
            'getPush': self._get_push,
            'listPush': self._list_push,
            'deletePush': self._delete_push,
            'extendedCard': self._extended_card,
        }

    async def _connect(self, command, _):
        http = httpx.AsyncClient(timeout=60)
        card = await A2ACardResolver(http, command['url']).get_agent_card()
        fitting = [
            entry
            for entry in card.supported_interfaces
            if entry.protocol_binding == command['binding'] and entry.protocol_version.startswith(command['version'])
        ]
        del card.supported_interfaces[:]
        card.supported_interfaces.extend(fitting)
        made = {
            streaming: ClientFactory(
                ClientConfig(
                    streaming=streaming,
                    httpx_client=http,
                    grpc_channel_factory=grpc.aio.insecure_channel,
                    supported_protocol_bindings=[command['binding']],
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
        async for answer in self._of(command).send_message(send_request(command)):
            return plain(answer)

    async def _stream(self, command, emit):
        async for event in self._of(command, True).send_message(send_request(command)):
            emit(plain(event))

    async def _get(self, command, _):
        return plain(await self._of(command).get_task(pb.GetTaskRequest(id=command['taskId'])))

    async def _list(self, command, _):
        return plain(await self._of(command).list_tasks(pb.ListTasksRequest(context_id=command['contextId'])))

    async def _cancel(self, command, _):
        return plain(await self._of(command).cancel_task(pb.CancelTaskRequest(id=command['taskId'])))

    async def _subscribe(self, command, emit):
        async for event in self._of(command, True).subscribe(pb.SubscribeToTaskRequest(id=command['taskId'])):
            emit(plain(event))

    async def _create_push(self, command, _):
        config = pb.TaskPushNotificationConfig(
            task_id=command['taskId'], id=command['configId'], url=command['url'], token='interop'
        )
        return plain(await self._of(command).create_task_push_notification_config(config))

    async def _get_push(self, command, _):
        request = pb.GetTaskPushNotificationConfigRequest(task_id=command['taskId'], id=command['configId'])
        return plain(await self._of(command).get_task_push_notification_config(request))

    async def _list_push(self, command, _):
        request = pb.ListTaskPushNotificationConfigsRequest(task_id=command['taskId'])
        return plain(await self._of(command).list_task_push_notification_configs(request))

    async def _delete_push(self, command, _):
        request = pb.DeleteTaskPushNotificationConfigRequest(task_id=command['taskId'], id=command['configId'])
        await self._of(command).delete_task_push_notification_config(request)

    async def _extended_card(self, command, _):
        return plain(await self._of(command).get_extended_agent_card(pb.GetExtendedAgentCardRequest()))


def send_request(command):
    request = pb.SendMessageRequest(message=ParseDict(command['message'], pb.Message()))
    request.configuration.return_immediately = not command.get('wait', True)
    return request


def plain(message):
    return MessageToDict(message)


def failure(error):
    """What a program can tell the error by: its class."""
    mapping = A2A_ERROR_MAPPING.get(type(error))
    return {'code': mapping.reason} if mapping else {}
