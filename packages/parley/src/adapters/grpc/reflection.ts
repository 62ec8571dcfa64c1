import {
  create,
  type DescFile,
  type DescMessage,
  type DescService,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Server } from '@grpc/grpc-js';
import { file_google_rpc_error_details as DETAILS } from '../../bindings/grpc/gen/google/rpc/error_details_pb.ts';
import { Health } from '../../bindings/grpc/gen/grpc/health/v1/health_pb.ts';
import * as v1 from '../../bindings/grpc/gen/grpc/reflection/v1/reflection_pb.ts';
import * as v1alpha from '../../bindings/grpc/gen/grpc/reflection/v1alpha/reflection_pb.ts';
import { GRPC_SERVICES } from '../../bindings/grpc/services.ts';
import type { GrpcCall } from './grpc-exchange.ts';
import { boundRequests, type SmallLimits } from './small-requests.ts';

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

/** Both versions of the service have the same messages; tools of before know only the older one. */
const VERSIONS = [
  {
    service: v1.ServerReflection,
    request: v1.ServerReflectionRequestSchema,
    response: v1.ServerReflectionResponseSchema,
  },
  {
    service: v1alpha.ServerReflection,
    request: v1alpha.ServerReflectionRequestSchema,
    response: v1alpha.ServerReflectionResponseSchema,
  },
] as const;

type ReflectionRequest = MessageShape<typeof v1.ServerReflectionRequestSchema>;
type ReflectionResponse = MessageShape<typeof v1.ServerReflectionResponseSchema>['messageResponse'];

const SERVICES: readonly DescService[] = [
  ...Object.values(GRPC_SERVICES).map(({ descriptor }) => descriptor),
  Health,
  ...VERSIONS.map(({ service }) => service),
];

/** Tells tools such as grpcurl which services and messages there are. */
export function registerReflection(server: Server, limits: SmallLimits): void {
  const { files, symbols } = describedFiles();
  const asIs = (bytes: Buffer) => bytes;
  for (const { service, request, response } of VERSIONS) {
    const respond = (bytes: Buffer): Buffer => {
      const asked = fromBinary(request, bytes) as ReflectionRequest;
      const messageResponse = responseTo(asked, files, symbols);
      const made = { validHost: asked.host, originalRequest: asked, messageResponse };
      return Buffer.from(
        toBinary(response, create(response as typeof v1.ServerReflectionResponseSchema, made) as never),
      );
    };
    server.register(
      `/${service.typeName}/ServerReflectionInfo`,
      (call: GrpcCall) => answer(call, respond, limits),
      asIs,
      asIs,
      'bidi',
    );
  }
}

/** One response for each request, no faster than the client reads them. */
function answer(call: GrpcCall, respond: (bytes: Buffer) => Buffer, limits: SmallLimits): void {
  boundRequests(call, limits);
  call.on('data', (bytes: Buffer) => {
    let response: Buffer;
    try {
      response = respond(bytes);
    } catch {
      call.emit('error', { code: INVALID_ARGUMENT, details: 'Invalid protobuf payload' });
      return;
    }
    if (call.write(response)) return;
    call.pause();
    call.once('drain', () => call.resume());
  });
  call.once('end', () => call.end());
}

function responseTo(
  { messageRequest: asked }: ReflectionRequest,
  files: ReadonlyMap<string, DescFile>,
  symbols: ReadonlyMap<string, DescFile>,
): ReflectionResponse {
  switch (asked.case) {
    case 'listServices':
      return listed();
    case 'fileByFilename':
      return described(files.get(asked.value), asked.value);
    case 'fileContainingSymbol':
      return described(symbols.get(asked.value), asked.value);
    case 'fileContainingExtension':
    case 'allExtensionNumbersOfType':
    case undefined:
      return failed(UNIMPLEMENTED, 'There are no extensions here');
  }
}

function listed(): ReflectionResponse {
  const service = SERVICES.map(({ typeName: name }) => create(v1.ServiceResponseSchema, { name }));
  return { case: 'listServicesResponse', value: create(v1.ListServiceResponseSchema, { service }) };
}

function described(file: DescFile | undefined, name: string): ReflectionResponse {
  if (!file) return failed(NOT_FOUND, `There is no ${name.slice(0, LONGEST_NAME)} here`);
  const fileDescriptorProto = withDependencies(file).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return {
    case: 'fileDescriptorResponse',
    value: create(v1.FileDescriptorResponseSchema, { fileDescriptorProto }),
  };
}

const LONGEST_NAME = 100;

function failed(errorCode: number, errorMessage: string): ReflectionResponse {
  return { case: 'errorResponse', value: create(v1.ErrorResponseSchema, { errorCode, errorMessage }) };
}

/** The file and all that it needs. */
function withDependencies(file: DescFile): readonly DescFile[] {
  return [...new Set([file, ...file.dependencies.flatMap(withDependencies)])];
}

function describedFiles() {
  const files = new Map<string, DescFile>();
  const symbols = new Map<string, DescFile>();
  // No service names the details of errors, which tools would show as bytes.
  for (const file of new Set([...SERVICES.map((service) => service.file), DETAILS].flatMap(withDependencies))) {
    files.set(file.proto.name, file);
    const name = (message: DescMessage): void => {
      symbols.set(message.typeName, file);
      for (const { typeName } of message.nestedEnums) symbols.set(typeName, file);
      for (const nested of message.nestedMessages) name(nested);
      for (const field of message.fields) symbols.set(`${message.typeName}.${field.name}`, file);
    };
    for (const message of file.messages) name(message);
    for (const { typeName } of file.enums) symbols.set(typeName, file);
    for (const { typeName, methods } of file.services) {
      symbols.set(typeName, file);
      for (const method of methods) symbols.set(`${typeName}.${method.name}`, file);
    }
  }
  return { files, symbols };
}
