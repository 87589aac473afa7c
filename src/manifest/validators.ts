// Written by scripts/schema.mjs from the schemas beside it.
// @ts-nocheck
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    function ucs2length(str) {
      let len = str.length, length = 0, pos = 0, value;
      for (; pos < len; )
        length++, value = str.charCodeAt(pos++), value >= 55296 && value <= 56319 && pos < len && (value = str.charCodeAt(pos), (value & 64512) === 56320 && pos++);
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var checkService = validate20, schema31 = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, description: { type: "string", minLength: 1, maxLength: 1e3, expected: "a text of at most 1000 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, memory_swap: { type: "integer", minimum: -1, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, or -1" }, cpu: { type: "number", minimum: 0.01, maximum: 1e3, expected: "a number of cores with at most two decimals, from 0.01 to 1000" }, pids: { type: "integer", minimum: 1, maximum: 4194304, expected: "a whole number from 1 to 4194304" }, ulimits: { type: "object", properties: { core: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, cpu: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, data: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, fsize: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, locks: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, memlock: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, msgqueue: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nice: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nofile: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nproc: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rss: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rtprio: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, sigpending: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, stack: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" } }, additionalProperties: !1, expected: "a map such as nofile: 65536" }, shm_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, group_add: { type: "array", items: { type: "string", pattern: "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$", maxLength: 100, expected: "the name or the number of a group" }, maxItems: 100, expected: "a list of groups" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, hostname: { type: "string", pattern: "^(?:[A-Za-z0-9.-]|[^]*)+$", maxLength: 253, expected: "the name of a host: letters, digits, - and dots" }, extra_hosts: { type: "array", items: { type: "string", pattern: "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$", expected: "NAME:ADDRESS" }, maxItems: 100, expected: "a list of NAME:ADDRESS, or a map" }, init: { type: "boolean", expected: "true or false" }, read_only: { type: "boolean", expected: "true or false" }, cap_add: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, cap_drop: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, privileged: { type: "boolean", expected: "true or false" }, devices: { type: "array", items: { type: "string", pattern: "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$", maxLength: 512, expected: "a device such as /dev/fuse, /dev/a:/dev/b or /dev/a:/dev/b:r" }, maxItems: 100, expected: "a list of devices" }, gpus: { type: "string", pattern: "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$", maxLength: 1e3, expected: "all, a number, or device=ID,ID" }, sysctls: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, on_lost: { enum: ["wait", "fresh"], type: "string", expected: "one of wait, fresh" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, hysteresis: { type: "boolean", expected: "true or false" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl, hysteresis and disable" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, stop_signal: { type: "string", pattern: "^SIG[A-Z0-9+]+$", expected: "a signal such as SIGINT" }, log: { type: "object", properties: { driver: { type: "string", pattern: "^[a-z0-9][a-zA-Z0-9._/:-]*$", maxLength: 255, expected: "the name of a log driver such as json-file" }, max_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, max_files: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, options: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" } }, additionalProperties: !1, expected: "a map with driver, max_size, max_files and options" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "network", "port", "poll", "timeout", "retries"], properties: { type: { enum: ["tcp"], type: "string", expected: "one of tcp" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https, tcp or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys", $id: "serviceSchema" }, func1 = Object.prototype.hasOwnProperty, func2 = require_ucs2length().default, pattern4 = new RegExp("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "u"), pattern5 = new RegExp("^\\S+$", "u"), pattern6 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.-]*$", "u"), pattern7 = new RegExp("^[^\\s=]+$", "u"), pattern8 = new RegExp("^[^\\s]+$", "u"), pattern9 = new RegExp("^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$", "u"), pattern10 = new RegExp("^/", "u"), pattern11 = new RegExp("^(?:[A-Za-z0-9.-]|[^]*)+$", "u"), pattern12 = new RegExp("^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$", "u"), pattern13 = new RegExp("^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$", "u"), pattern14 = new RegExp("^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$", "u"), pattern16 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", "u"), pattern17 = new RegExp(`^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, "u"), pattern18 = new RegExp(`^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, "u"), pattern19 = new RegExp("^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", "u"), pattern21 = new RegExp("^[A-Za-z_][A-Za-z0-9_.-]+$", "u"), pattern22 = new RegExp("^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", "u"), pattern23 = new RegExp("^[A-Za-z0-9_.-]{1,128}$", "u"), pattern25 = new RegExp("^SIG[A-Z0-9+]+$", "u"), pattern26 = new RegExp("^[a-z0-9][a-zA-Z0-9._/:-]*$", "u"), pattern28 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", "u"), pattern30 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", "u"), pattern36 = new RegExp("^[^\\s@<>,;]+@[^\\s@<>,;]+$", "u"), pattern38 = new RegExp("^([\\x21-\\x7e]+|meta\\.[^]+)$", "u"), pattern40 = new RegExp("^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", "u"), pattern41 = new RegExp("^https?://[^\\s/?#]+\\S*$", "u"), pattern42 = new RegExp("^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.service_type === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "service_type" }, message: "must have required property 'service_type'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.compute_type === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "compute_type" }, message: "must have required property 'compute_type'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.environment === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "environment" }, message: "must have required property 'environment'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.volumes === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "volumes" }, message: "must have required property 'volumes'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.ports === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "ports" }, message: "must have required property 'ports'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.dns === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "dns" }, message: "must have required property 'dns'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data["dns-search"] === void 0) {
      let err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "dns-search" }, message: "must have required property 'dns-search'" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.labels === void 0) {
      let err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "labels" }, message: "must have required property 'labels'" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.affinity === void 0) {
      let err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "affinity" }, message: "must have required property 'affinity'" };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.restart === void 0) {
      let err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "restart" }, message: "must have required property 'restart'" };
      vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
    }
    if (data.stop === void 0) {
      let err11 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "stop" }, message: "must have required property 'stop'" };
      vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
    }
    if (data.triggers === void 0) {
      let err12 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "triggers" }, message: "must have required property 'triggers'" };
      vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
    }
    if (data.webhooks === void 0) {
      let err13 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "webhooks" }, message: "must have required property 'webhooks'" };
      vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema31.properties, key0)) {
        let err14 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
      }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 == "string") {
        if (!pattern4.test(data0)) {
          let err15 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
          vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
        }
      } else {
        let err16 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.description !== void 0) {
      let data1 = data.description;
      if (typeof data1 == "string") {
        if (func2(data1) > 1e3) {
          let err17 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
          vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
        }
        if (func2(data1) < 1) {
          let err18 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
        }
      } else {
        let err19 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
    }
    if (data.service_type !== void 0) {
      let data2 = data.service_type;
      if (typeof data2 != "string") {
        let err20 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
      if (!(data2 === "continuous" || data2 === "scheduled" || data2 === "event")) {
        let err21 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.service_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
    if (data.compute_type !== void 0) {
      let data3 = data.compute_type;
      if (typeof data3 != "string") {
        let err22 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
      if (!(data3 === "docker" || data3 === "process" || data3 === "infrastructure" || data3 === "kvm" || data3 === "manta")) {
        let err23 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.compute_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
    }
    if (data.image !== void 0) {
      let data4 = data.image;
      if (typeof data4 == "string") {
        if (func2(data4) > 512) {
          let err24 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
          vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
        }
        if (func2(data4) < 1) {
          let err25 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
        }
        if (!pattern5.test(data4)) {
          let err26 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/pattern", keyword: "pattern", params: { pattern: "^\\S+$" }, message: 'must match pattern "^\\S+$"' };
          vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
        }
      } else {
        let err27 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
      }
    }
    if (data.package !== void 0) {
      let data5 = data.package;
      if (typeof data5 == "string") {
        if (func2(data5) > 128) {
          let err28 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
          vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
        }
        if (func2(data5) < 1) {
          let err29 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
        }
        if (!pattern6.test(data5)) {
          let err30 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_.-]*$"' };
          vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
        }
      } else {
        let err31 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
      }
    }
    if (data.memory !== void 0) {
      let data6 = data.memory;
      if (!(typeof data6 == "number" && !(data6 % 1) && !isNaN(data6) && isFinite(data6))) {
        let err32 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
      }
      if (typeof data6 == "number" && isFinite(data6)) {
        if (data6 > 67108864 || isNaN(data6)) {
          let err33 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/maximum", keyword: "maximum", params: { comparison: "<=", limit: 67108864 }, message: "must be <= 67108864" };
          vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
        }
        if (data6 < 4 || isNaN(data6)) {
          let err34 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/minimum", keyword: "minimum", params: { comparison: ">=", limit: 4 }, message: "must be >= 4" };
          vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
        }
      }
    }
    if (data.memory_swap !== void 0) {
      let data7 = data.memory_swap;
      if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7) && isFinite(data7))) {
        let err35 = { instancePath: instancePath + "/memory_swap", schemaPath: "#/properties/memory_swap/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
      }
      if (typeof data7 == "number" && isFinite(data7)) {
        if (data7 > 67108864 || isNaN(data7)) {
          let err36 = { instancePath: instancePath + "/memory_swap", schemaPath: "#/properties/memory_swap/maximum", keyword: "maximum", params: { comparison: "<=", limit: 67108864 }, message: "must be <= 67108864" };
          vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
        }
        if (data7 < -1 || isNaN(data7)) {
          let err37 = { instancePath: instancePath + "/memory_swap", schemaPath: "#/properties/memory_swap/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
          vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
        }
      }
    }
    if (data.cpu !== void 0) {
      let data8 = data.cpu;
      if (typeof data8 == "number" && isFinite(data8)) {
        if (data8 > 1e3 || isNaN(data8)) {
          let err38 = { instancePath: instancePath + "/cpu", schemaPath: "#/properties/cpu/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
          vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
        }
        if (data8 < 0.01 || isNaN(data8)) {
          let err39 = { instancePath: instancePath + "/cpu", schemaPath: "#/properties/cpu/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
          vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
        }
      } else {
        let err40 = { instancePath: instancePath + "/cpu", schemaPath: "#/properties/cpu/type", keyword: "type", params: { type: "number" }, message: "must be number" };
        vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
      }
    }
    if (data.pids !== void 0) {
      let data9 = data.pids;
      if (!(typeof data9 == "number" && !(data9 % 1) && !isNaN(data9) && isFinite(data9))) {
        let err41 = { instancePath: instancePath + "/pids", schemaPath: "#/properties/pids/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
      }
      if (typeof data9 == "number" && isFinite(data9)) {
        if (data9 > 4194304 || isNaN(data9)) {
          let err42 = { instancePath: instancePath + "/pids", schemaPath: "#/properties/pids/maximum", keyword: "maximum", params: { comparison: "<=", limit: 4194304 }, message: "must be <= 4194304" };
          vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
        }
        if (data9 < 1 || isNaN(data9)) {
          let err43 = { instancePath: instancePath + "/pids", schemaPath: "#/properties/pids/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
        }
      }
    }
    if (data.ulimits !== void 0) {
      let data10 = data.ulimits;
      if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
        for (let key1 in data10)
          if (!func1.call(schema31.properties.ulimits.properties, key1)) {
            let err44 = { instancePath: instancePath + "/ulimits", schemaPath: "#/properties/ulimits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
          }
        if (data10.core !== void 0) {
          let data11 = data10.core;
          if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
            if (data11.soft === void 0) {
              let err45 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
            }
            if (data11.hard === void 0) {
              let err46 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
            }
            for (let key2 in data11)
              if (!(key2 === "soft" || key2 === "hard")) {
                let err47 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
              }
            if (data11.soft !== void 0) {
              let data12 = data11.soft;
              if (!(typeof data12 == "number" && !(data12 % 1) && !isNaN(data12) && isFinite(data12))) {
                let err48 = { instancePath: instancePath + "/ulimits/core/soft", schemaPath: "#/properties/ulimits/properties/core/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
              }
              if (typeof data12 == "number" && isFinite(data12)) {
                if (data12 > 999999999999999 || isNaN(data12)) {
                  let err49 = { instancePath: instancePath + "/ulimits/core/soft", schemaPath: "#/properties/ulimits/properties/core/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
                }
                if (data12 < -1 || isNaN(data12)) {
                  let err50 = { instancePath: instancePath + "/ulimits/core/soft", schemaPath: "#/properties/ulimits/properties/core/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
                }
              }
            }
            if (data11.hard !== void 0) {
              let data13 = data11.hard;
              if (!(typeof data13 == "number" && !(data13 % 1) && !isNaN(data13) && isFinite(data13))) {
                let err51 = { instancePath: instancePath + "/ulimits/core/hard", schemaPath: "#/properties/ulimits/properties/core/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
              }
              if (typeof data13 == "number" && isFinite(data13)) {
                if (data13 > 999999999999999 || isNaN(data13)) {
                  let err52 = { instancePath: instancePath + "/ulimits/core/hard", schemaPath: "#/properties/ulimits/properties/core/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
                }
                if (data13 < -1 || isNaN(data13)) {
                  let err53 = { instancePath: instancePath + "/ulimits/core/hard", schemaPath: "#/properties/ulimits/properties/core/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
                }
              }
            }
          } else {
            let err54 = { instancePath: instancePath + "/ulimits/core", schemaPath: "#/properties/ulimits/properties/core/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
          }
        }
        if (data10.cpu !== void 0) {
          let data14 = data10.cpu;
          if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
            if (data14.soft === void 0) {
              let err55 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
            }
            if (data14.hard === void 0) {
              let err56 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
            }
            for (let key3 in data14)
              if (!(key3 === "soft" || key3 === "hard")) {
                let err57 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
              }
            if (data14.soft !== void 0) {
              let data15 = data14.soft;
              if (!(typeof data15 == "number" && !(data15 % 1) && !isNaN(data15) && isFinite(data15))) {
                let err58 = { instancePath: instancePath + "/ulimits/cpu/soft", schemaPath: "#/properties/ulimits/properties/cpu/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
              }
              if (typeof data15 == "number" && isFinite(data15)) {
                if (data15 > 999999999999999 || isNaN(data15)) {
                  let err59 = { instancePath: instancePath + "/ulimits/cpu/soft", schemaPath: "#/properties/ulimits/properties/cpu/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
                }
                if (data15 < -1 || isNaN(data15)) {
                  let err60 = { instancePath: instancePath + "/ulimits/cpu/soft", schemaPath: "#/properties/ulimits/properties/cpu/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
                }
              }
            }
            if (data14.hard !== void 0) {
              let data16 = data14.hard;
              if (!(typeof data16 == "number" && !(data16 % 1) && !isNaN(data16) && isFinite(data16))) {
                let err61 = { instancePath: instancePath + "/ulimits/cpu/hard", schemaPath: "#/properties/ulimits/properties/cpu/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
              }
              if (typeof data16 == "number" && isFinite(data16)) {
                if (data16 > 999999999999999 || isNaN(data16)) {
                  let err62 = { instancePath: instancePath + "/ulimits/cpu/hard", schemaPath: "#/properties/ulimits/properties/cpu/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
                }
                if (data16 < -1 || isNaN(data16)) {
                  let err63 = { instancePath: instancePath + "/ulimits/cpu/hard", schemaPath: "#/properties/ulimits/properties/cpu/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
                }
              }
            }
          } else {
            let err64 = { instancePath: instancePath + "/ulimits/cpu", schemaPath: "#/properties/ulimits/properties/cpu/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
          }
        }
        if (data10.data !== void 0) {
          let data17 = data10.data;
          if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
            if (data17.soft === void 0) {
              let err65 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
            }
            if (data17.hard === void 0) {
              let err66 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
            }
            for (let key4 in data17)
              if (!(key4 === "soft" || key4 === "hard")) {
                let err67 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
              }
            if (data17.soft !== void 0) {
              let data18 = data17.soft;
              if (!(typeof data18 == "number" && !(data18 % 1) && !isNaN(data18) && isFinite(data18))) {
                let err68 = { instancePath: instancePath + "/ulimits/data/soft", schemaPath: "#/properties/ulimits/properties/data/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
              }
              if (typeof data18 == "number" && isFinite(data18)) {
                if (data18 > 999999999999999 || isNaN(data18)) {
                  let err69 = { instancePath: instancePath + "/ulimits/data/soft", schemaPath: "#/properties/ulimits/properties/data/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
                }
                if (data18 < -1 || isNaN(data18)) {
                  let err70 = { instancePath: instancePath + "/ulimits/data/soft", schemaPath: "#/properties/ulimits/properties/data/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
                }
              }
            }
            if (data17.hard !== void 0) {
              let data19 = data17.hard;
              if (!(typeof data19 == "number" && !(data19 % 1) && !isNaN(data19) && isFinite(data19))) {
                let err71 = { instancePath: instancePath + "/ulimits/data/hard", schemaPath: "#/properties/ulimits/properties/data/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
              }
              if (typeof data19 == "number" && isFinite(data19)) {
                if (data19 > 999999999999999 || isNaN(data19)) {
                  let err72 = { instancePath: instancePath + "/ulimits/data/hard", schemaPath: "#/properties/ulimits/properties/data/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
                }
                if (data19 < -1 || isNaN(data19)) {
                  let err73 = { instancePath: instancePath + "/ulimits/data/hard", schemaPath: "#/properties/ulimits/properties/data/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
                }
              }
            }
          } else {
            let err74 = { instancePath: instancePath + "/ulimits/data", schemaPath: "#/properties/ulimits/properties/data/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
          }
        }
        if (data10.fsize !== void 0) {
          let data20 = data10.fsize;
          if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
            if (data20.soft === void 0) {
              let err75 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
            }
            if (data20.hard === void 0) {
              let err76 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
            }
            for (let key5 in data20)
              if (!(key5 === "soft" || key5 === "hard")) {
                let err77 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
              }
            if (data20.soft !== void 0) {
              let data21 = data20.soft;
              if (!(typeof data21 == "number" && !(data21 % 1) && !isNaN(data21) && isFinite(data21))) {
                let err78 = { instancePath: instancePath + "/ulimits/fsize/soft", schemaPath: "#/properties/ulimits/properties/fsize/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
              }
              if (typeof data21 == "number" && isFinite(data21)) {
                if (data21 > 999999999999999 || isNaN(data21)) {
                  let err79 = { instancePath: instancePath + "/ulimits/fsize/soft", schemaPath: "#/properties/ulimits/properties/fsize/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
                }
                if (data21 < -1 || isNaN(data21)) {
                  let err80 = { instancePath: instancePath + "/ulimits/fsize/soft", schemaPath: "#/properties/ulimits/properties/fsize/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
                }
              }
            }
            if (data20.hard !== void 0) {
              let data22 = data20.hard;
              if (!(typeof data22 == "number" && !(data22 % 1) && !isNaN(data22) && isFinite(data22))) {
                let err81 = { instancePath: instancePath + "/ulimits/fsize/hard", schemaPath: "#/properties/ulimits/properties/fsize/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
              }
              if (typeof data22 == "number" && isFinite(data22)) {
                if (data22 > 999999999999999 || isNaN(data22)) {
                  let err82 = { instancePath: instancePath + "/ulimits/fsize/hard", schemaPath: "#/properties/ulimits/properties/fsize/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
                }
                if (data22 < -1 || isNaN(data22)) {
                  let err83 = { instancePath: instancePath + "/ulimits/fsize/hard", schemaPath: "#/properties/ulimits/properties/fsize/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
                }
              }
            }
          } else {
            let err84 = { instancePath: instancePath + "/ulimits/fsize", schemaPath: "#/properties/ulimits/properties/fsize/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
          }
        }
        if (data10.locks !== void 0) {
          let data23 = data10.locks;
          if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
            if (data23.soft === void 0) {
              let err85 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
            }
            if (data23.hard === void 0) {
              let err86 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
            }
            for (let key6 in data23)
              if (!(key6 === "soft" || key6 === "hard")) {
                let err87 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
              }
            if (data23.soft !== void 0) {
              let data24 = data23.soft;
              if (!(typeof data24 == "number" && !(data24 % 1) && !isNaN(data24) && isFinite(data24))) {
                let err88 = { instancePath: instancePath + "/ulimits/locks/soft", schemaPath: "#/properties/ulimits/properties/locks/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
              }
              if (typeof data24 == "number" && isFinite(data24)) {
                if (data24 > 999999999999999 || isNaN(data24)) {
                  let err89 = { instancePath: instancePath + "/ulimits/locks/soft", schemaPath: "#/properties/ulimits/properties/locks/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
                }
                if (data24 < -1 || isNaN(data24)) {
                  let err90 = { instancePath: instancePath + "/ulimits/locks/soft", schemaPath: "#/properties/ulimits/properties/locks/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
                }
              }
            }
            if (data23.hard !== void 0) {
              let data25 = data23.hard;
              if (!(typeof data25 == "number" && !(data25 % 1) && !isNaN(data25) && isFinite(data25))) {
                let err91 = { instancePath: instancePath + "/ulimits/locks/hard", schemaPath: "#/properties/ulimits/properties/locks/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
              }
              if (typeof data25 == "number" && isFinite(data25)) {
                if (data25 > 999999999999999 || isNaN(data25)) {
                  let err92 = { instancePath: instancePath + "/ulimits/locks/hard", schemaPath: "#/properties/ulimits/properties/locks/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
                }
                if (data25 < -1 || isNaN(data25)) {
                  let err93 = { instancePath: instancePath + "/ulimits/locks/hard", schemaPath: "#/properties/ulimits/properties/locks/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
                }
              }
            }
          } else {
            let err94 = { instancePath: instancePath + "/ulimits/locks", schemaPath: "#/properties/ulimits/properties/locks/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err94] : vErrors.push(err94), errors++;
          }
        }
        if (data10.memlock !== void 0) {
          let data26 = data10.memlock;
          if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
            if (data26.soft === void 0) {
              let err95 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err95] : vErrors.push(err95), errors++;
            }
            if (data26.hard === void 0) {
              let err96 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err96] : vErrors.push(err96), errors++;
            }
            for (let key7 in data26)
              if (!(key7 === "soft" || key7 === "hard")) {
                let err97 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err97] : vErrors.push(err97), errors++;
              }
            if (data26.soft !== void 0) {
              let data27 = data26.soft;
              if (!(typeof data27 == "number" && !(data27 % 1) && !isNaN(data27) && isFinite(data27))) {
                let err98 = { instancePath: instancePath + "/ulimits/memlock/soft", schemaPath: "#/properties/ulimits/properties/memlock/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err98] : vErrors.push(err98), errors++;
              }
              if (typeof data27 == "number" && isFinite(data27)) {
                if (data27 > 999999999999999 || isNaN(data27)) {
                  let err99 = { instancePath: instancePath + "/ulimits/memlock/soft", schemaPath: "#/properties/ulimits/properties/memlock/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err99] : vErrors.push(err99), errors++;
                }
                if (data27 < -1 || isNaN(data27)) {
                  let err100 = { instancePath: instancePath + "/ulimits/memlock/soft", schemaPath: "#/properties/ulimits/properties/memlock/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err100] : vErrors.push(err100), errors++;
                }
              }
            }
            if (data26.hard !== void 0) {
              let data28 = data26.hard;
              if (!(typeof data28 == "number" && !(data28 % 1) && !isNaN(data28) && isFinite(data28))) {
                let err101 = { instancePath: instancePath + "/ulimits/memlock/hard", schemaPath: "#/properties/ulimits/properties/memlock/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err101] : vErrors.push(err101), errors++;
              }
              if (typeof data28 == "number" && isFinite(data28)) {
                if (data28 > 999999999999999 || isNaN(data28)) {
                  let err102 = { instancePath: instancePath + "/ulimits/memlock/hard", schemaPath: "#/properties/ulimits/properties/memlock/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err102] : vErrors.push(err102), errors++;
                }
                if (data28 < -1 || isNaN(data28)) {
                  let err103 = { instancePath: instancePath + "/ulimits/memlock/hard", schemaPath: "#/properties/ulimits/properties/memlock/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err103] : vErrors.push(err103), errors++;
                }
              }
            }
          } else {
            let err104 = { instancePath: instancePath + "/ulimits/memlock", schemaPath: "#/properties/ulimits/properties/memlock/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err104] : vErrors.push(err104), errors++;
          }
        }
        if (data10.msgqueue !== void 0) {
          let data29 = data10.msgqueue;
          if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
            if (data29.soft === void 0) {
              let err105 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err105] : vErrors.push(err105), errors++;
            }
            if (data29.hard === void 0) {
              let err106 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err106] : vErrors.push(err106), errors++;
            }
            for (let key8 in data29)
              if (!(key8 === "soft" || key8 === "hard")) {
                let err107 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err107] : vErrors.push(err107), errors++;
              }
            if (data29.soft !== void 0) {
              let data30 = data29.soft;
              if (!(typeof data30 == "number" && !(data30 % 1) && !isNaN(data30) && isFinite(data30))) {
                let err108 = { instancePath: instancePath + "/ulimits/msgqueue/soft", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err108] : vErrors.push(err108), errors++;
              }
              if (typeof data30 == "number" && isFinite(data30)) {
                if (data30 > 999999999999999 || isNaN(data30)) {
                  let err109 = { instancePath: instancePath + "/ulimits/msgqueue/soft", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err109] : vErrors.push(err109), errors++;
                }
                if (data30 < -1 || isNaN(data30)) {
                  let err110 = { instancePath: instancePath + "/ulimits/msgqueue/soft", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err110] : vErrors.push(err110), errors++;
                }
              }
            }
            if (data29.hard !== void 0) {
              let data31 = data29.hard;
              if (!(typeof data31 == "number" && !(data31 % 1) && !isNaN(data31) && isFinite(data31))) {
                let err111 = { instancePath: instancePath + "/ulimits/msgqueue/hard", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err111] : vErrors.push(err111), errors++;
              }
              if (typeof data31 == "number" && isFinite(data31)) {
                if (data31 > 999999999999999 || isNaN(data31)) {
                  let err112 = { instancePath: instancePath + "/ulimits/msgqueue/hard", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err112] : vErrors.push(err112), errors++;
                }
                if (data31 < -1 || isNaN(data31)) {
                  let err113 = { instancePath: instancePath + "/ulimits/msgqueue/hard", schemaPath: "#/properties/ulimits/properties/msgqueue/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err113] : vErrors.push(err113), errors++;
                }
              }
            }
          } else {
            let err114 = { instancePath: instancePath + "/ulimits/msgqueue", schemaPath: "#/properties/ulimits/properties/msgqueue/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err114] : vErrors.push(err114), errors++;
          }
        }
        if (data10.nice !== void 0) {
          let data32 = data10.nice;
          if (data32 && typeof data32 == "object" && !Array.isArray(data32)) {
            if (data32.soft === void 0) {
              let err115 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err115] : vErrors.push(err115), errors++;
            }
            if (data32.hard === void 0) {
              let err116 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err116] : vErrors.push(err116), errors++;
            }
            for (let key9 in data32)
              if (!(key9 === "soft" || key9 === "hard")) {
                let err117 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err117] : vErrors.push(err117), errors++;
              }
            if (data32.soft !== void 0) {
              let data33 = data32.soft;
              if (!(typeof data33 == "number" && !(data33 % 1) && !isNaN(data33) && isFinite(data33))) {
                let err118 = { instancePath: instancePath + "/ulimits/nice/soft", schemaPath: "#/properties/ulimits/properties/nice/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err118] : vErrors.push(err118), errors++;
              }
              if (typeof data33 == "number" && isFinite(data33)) {
                if (data33 > 999999999999999 || isNaN(data33)) {
                  let err119 = { instancePath: instancePath + "/ulimits/nice/soft", schemaPath: "#/properties/ulimits/properties/nice/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err119] : vErrors.push(err119), errors++;
                }
                if (data33 < -1 || isNaN(data33)) {
                  let err120 = { instancePath: instancePath + "/ulimits/nice/soft", schemaPath: "#/properties/ulimits/properties/nice/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err120] : vErrors.push(err120), errors++;
                }
              }
            }
            if (data32.hard !== void 0) {
              let data34 = data32.hard;
              if (!(typeof data34 == "number" && !(data34 % 1) && !isNaN(data34) && isFinite(data34))) {
                let err121 = { instancePath: instancePath + "/ulimits/nice/hard", schemaPath: "#/properties/ulimits/properties/nice/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err121] : vErrors.push(err121), errors++;
              }
              if (typeof data34 == "number" && isFinite(data34)) {
                if (data34 > 999999999999999 || isNaN(data34)) {
                  let err122 = { instancePath: instancePath + "/ulimits/nice/hard", schemaPath: "#/properties/ulimits/properties/nice/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err122] : vErrors.push(err122), errors++;
                }
                if (data34 < -1 || isNaN(data34)) {
                  let err123 = { instancePath: instancePath + "/ulimits/nice/hard", schemaPath: "#/properties/ulimits/properties/nice/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err123] : vErrors.push(err123), errors++;
                }
              }
            }
          } else {
            let err124 = { instancePath: instancePath + "/ulimits/nice", schemaPath: "#/properties/ulimits/properties/nice/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err124] : vErrors.push(err124), errors++;
          }
        }
        if (data10.nofile !== void 0) {
          let data35 = data10.nofile;
          if (data35 && typeof data35 == "object" && !Array.isArray(data35)) {
            if (data35.soft === void 0) {
              let err125 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err125] : vErrors.push(err125), errors++;
            }
            if (data35.hard === void 0) {
              let err126 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err126] : vErrors.push(err126), errors++;
            }
            for (let key10 in data35)
              if (!(key10 === "soft" || key10 === "hard")) {
                let err127 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err127] : vErrors.push(err127), errors++;
              }
            if (data35.soft !== void 0) {
              let data36 = data35.soft;
              if (!(typeof data36 == "number" && !(data36 % 1) && !isNaN(data36) && isFinite(data36))) {
                let err128 = { instancePath: instancePath + "/ulimits/nofile/soft", schemaPath: "#/properties/ulimits/properties/nofile/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err128] : vErrors.push(err128), errors++;
              }
              if (typeof data36 == "number" && isFinite(data36)) {
                if (data36 > 999999999999999 || isNaN(data36)) {
                  let err129 = { instancePath: instancePath + "/ulimits/nofile/soft", schemaPath: "#/properties/ulimits/properties/nofile/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err129] : vErrors.push(err129), errors++;
                }
                if (data36 < -1 || isNaN(data36)) {
                  let err130 = { instancePath: instancePath + "/ulimits/nofile/soft", schemaPath: "#/properties/ulimits/properties/nofile/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err130] : vErrors.push(err130), errors++;
                }
              }
            }
            if (data35.hard !== void 0) {
              let data37 = data35.hard;
              if (!(typeof data37 == "number" && !(data37 % 1) && !isNaN(data37) && isFinite(data37))) {
                let err131 = { instancePath: instancePath + "/ulimits/nofile/hard", schemaPath: "#/properties/ulimits/properties/nofile/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err131] : vErrors.push(err131), errors++;
              }
              if (typeof data37 == "number" && isFinite(data37)) {
                if (data37 > 999999999999999 || isNaN(data37)) {
                  let err132 = { instancePath: instancePath + "/ulimits/nofile/hard", schemaPath: "#/properties/ulimits/properties/nofile/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err132] : vErrors.push(err132), errors++;
                }
                if (data37 < -1 || isNaN(data37)) {
                  let err133 = { instancePath: instancePath + "/ulimits/nofile/hard", schemaPath: "#/properties/ulimits/properties/nofile/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err133] : vErrors.push(err133), errors++;
                }
              }
            }
          } else {
            let err134 = { instancePath: instancePath + "/ulimits/nofile", schemaPath: "#/properties/ulimits/properties/nofile/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err134] : vErrors.push(err134), errors++;
          }
        }
        if (data10.nproc !== void 0) {
          let data38 = data10.nproc;
          if (data38 && typeof data38 == "object" && !Array.isArray(data38)) {
            if (data38.soft === void 0) {
              let err135 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err135] : vErrors.push(err135), errors++;
            }
            if (data38.hard === void 0) {
              let err136 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err136] : vErrors.push(err136), errors++;
            }
            for (let key11 in data38)
              if (!(key11 === "soft" || key11 === "hard")) {
                let err137 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err137] : vErrors.push(err137), errors++;
              }
            if (data38.soft !== void 0) {
              let data39 = data38.soft;
              if (!(typeof data39 == "number" && !(data39 % 1) && !isNaN(data39) && isFinite(data39))) {
                let err138 = { instancePath: instancePath + "/ulimits/nproc/soft", schemaPath: "#/properties/ulimits/properties/nproc/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err138] : vErrors.push(err138), errors++;
              }
              if (typeof data39 == "number" && isFinite(data39)) {
                if (data39 > 999999999999999 || isNaN(data39)) {
                  let err139 = { instancePath: instancePath + "/ulimits/nproc/soft", schemaPath: "#/properties/ulimits/properties/nproc/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err139] : vErrors.push(err139), errors++;
                }
                if (data39 < -1 || isNaN(data39)) {
                  let err140 = { instancePath: instancePath + "/ulimits/nproc/soft", schemaPath: "#/properties/ulimits/properties/nproc/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err140] : vErrors.push(err140), errors++;
                }
              }
            }
            if (data38.hard !== void 0) {
              let data40 = data38.hard;
              if (!(typeof data40 == "number" && !(data40 % 1) && !isNaN(data40) && isFinite(data40))) {
                let err141 = { instancePath: instancePath + "/ulimits/nproc/hard", schemaPath: "#/properties/ulimits/properties/nproc/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err141] : vErrors.push(err141), errors++;
              }
              if (typeof data40 == "number" && isFinite(data40)) {
                if (data40 > 999999999999999 || isNaN(data40)) {
                  let err142 = { instancePath: instancePath + "/ulimits/nproc/hard", schemaPath: "#/properties/ulimits/properties/nproc/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err142] : vErrors.push(err142), errors++;
                }
                if (data40 < -1 || isNaN(data40)) {
                  let err143 = { instancePath: instancePath + "/ulimits/nproc/hard", schemaPath: "#/properties/ulimits/properties/nproc/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err143] : vErrors.push(err143), errors++;
                }
              }
            }
          } else {
            let err144 = { instancePath: instancePath + "/ulimits/nproc", schemaPath: "#/properties/ulimits/properties/nproc/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err144] : vErrors.push(err144), errors++;
          }
        }
        if (data10.rss !== void 0) {
          let data41 = data10.rss;
          if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
            if (data41.soft === void 0) {
              let err145 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err145] : vErrors.push(err145), errors++;
            }
            if (data41.hard === void 0) {
              let err146 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err146] : vErrors.push(err146), errors++;
            }
            for (let key12 in data41)
              if (!(key12 === "soft" || key12 === "hard")) {
                let err147 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err147] : vErrors.push(err147), errors++;
              }
            if (data41.soft !== void 0) {
              let data42 = data41.soft;
              if (!(typeof data42 == "number" && !(data42 % 1) && !isNaN(data42) && isFinite(data42))) {
                let err148 = { instancePath: instancePath + "/ulimits/rss/soft", schemaPath: "#/properties/ulimits/properties/rss/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err148] : vErrors.push(err148), errors++;
              }
              if (typeof data42 == "number" && isFinite(data42)) {
                if (data42 > 999999999999999 || isNaN(data42)) {
                  let err149 = { instancePath: instancePath + "/ulimits/rss/soft", schemaPath: "#/properties/ulimits/properties/rss/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err149] : vErrors.push(err149), errors++;
                }
                if (data42 < -1 || isNaN(data42)) {
                  let err150 = { instancePath: instancePath + "/ulimits/rss/soft", schemaPath: "#/properties/ulimits/properties/rss/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err150] : vErrors.push(err150), errors++;
                }
              }
            }
            if (data41.hard !== void 0) {
              let data43 = data41.hard;
              if (!(typeof data43 == "number" && !(data43 % 1) && !isNaN(data43) && isFinite(data43))) {
                let err151 = { instancePath: instancePath + "/ulimits/rss/hard", schemaPath: "#/properties/ulimits/properties/rss/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err151] : vErrors.push(err151), errors++;
              }
              if (typeof data43 == "number" && isFinite(data43)) {
                if (data43 > 999999999999999 || isNaN(data43)) {
                  let err152 = { instancePath: instancePath + "/ulimits/rss/hard", schemaPath: "#/properties/ulimits/properties/rss/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err152] : vErrors.push(err152), errors++;
                }
                if (data43 < -1 || isNaN(data43)) {
                  let err153 = { instancePath: instancePath + "/ulimits/rss/hard", schemaPath: "#/properties/ulimits/properties/rss/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err153] : vErrors.push(err153), errors++;
                }
              }
            }
          } else {
            let err154 = { instancePath: instancePath + "/ulimits/rss", schemaPath: "#/properties/ulimits/properties/rss/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err154] : vErrors.push(err154), errors++;
          }
        }
        if (data10.rtprio !== void 0) {
          let data44 = data10.rtprio;
          if (data44 && typeof data44 == "object" && !Array.isArray(data44)) {
            if (data44.soft === void 0) {
              let err155 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err155] : vErrors.push(err155), errors++;
            }
            if (data44.hard === void 0) {
              let err156 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err156] : vErrors.push(err156), errors++;
            }
            for (let key13 in data44)
              if (!(key13 === "soft" || key13 === "hard")) {
                let err157 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err157] : vErrors.push(err157), errors++;
              }
            if (data44.soft !== void 0) {
              let data45 = data44.soft;
              if (!(typeof data45 == "number" && !(data45 % 1) && !isNaN(data45) && isFinite(data45))) {
                let err158 = { instancePath: instancePath + "/ulimits/rtprio/soft", schemaPath: "#/properties/ulimits/properties/rtprio/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err158] : vErrors.push(err158), errors++;
              }
              if (typeof data45 == "number" && isFinite(data45)) {
                if (data45 > 999999999999999 || isNaN(data45)) {
                  let err159 = { instancePath: instancePath + "/ulimits/rtprio/soft", schemaPath: "#/properties/ulimits/properties/rtprio/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err159] : vErrors.push(err159), errors++;
                }
                if (data45 < -1 || isNaN(data45)) {
                  let err160 = { instancePath: instancePath + "/ulimits/rtprio/soft", schemaPath: "#/properties/ulimits/properties/rtprio/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err160] : vErrors.push(err160), errors++;
                }
              }
            }
            if (data44.hard !== void 0) {
              let data46 = data44.hard;
              if (!(typeof data46 == "number" && !(data46 % 1) && !isNaN(data46) && isFinite(data46))) {
                let err161 = { instancePath: instancePath + "/ulimits/rtprio/hard", schemaPath: "#/properties/ulimits/properties/rtprio/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err161] : vErrors.push(err161), errors++;
              }
              if (typeof data46 == "number" && isFinite(data46)) {
                if (data46 > 999999999999999 || isNaN(data46)) {
                  let err162 = { instancePath: instancePath + "/ulimits/rtprio/hard", schemaPath: "#/properties/ulimits/properties/rtprio/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err162] : vErrors.push(err162), errors++;
                }
                if (data46 < -1 || isNaN(data46)) {
                  let err163 = { instancePath: instancePath + "/ulimits/rtprio/hard", schemaPath: "#/properties/ulimits/properties/rtprio/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err163] : vErrors.push(err163), errors++;
                }
              }
            }
          } else {
            let err164 = { instancePath: instancePath + "/ulimits/rtprio", schemaPath: "#/properties/ulimits/properties/rtprio/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err164] : vErrors.push(err164), errors++;
          }
        }
        if (data10.sigpending !== void 0) {
          let data47 = data10.sigpending;
          if (data47 && typeof data47 == "object" && !Array.isArray(data47)) {
            if (data47.soft === void 0) {
              let err165 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err165] : vErrors.push(err165), errors++;
            }
            if (data47.hard === void 0) {
              let err166 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err166] : vErrors.push(err166), errors++;
            }
            for (let key14 in data47)
              if (!(key14 === "soft" || key14 === "hard")) {
                let err167 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key14 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err167] : vErrors.push(err167), errors++;
              }
            if (data47.soft !== void 0) {
              let data48 = data47.soft;
              if (!(typeof data48 == "number" && !(data48 % 1) && !isNaN(data48) && isFinite(data48))) {
                let err168 = { instancePath: instancePath + "/ulimits/sigpending/soft", schemaPath: "#/properties/ulimits/properties/sigpending/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err168] : vErrors.push(err168), errors++;
              }
              if (typeof data48 == "number" && isFinite(data48)) {
                if (data48 > 999999999999999 || isNaN(data48)) {
                  let err169 = { instancePath: instancePath + "/ulimits/sigpending/soft", schemaPath: "#/properties/ulimits/properties/sigpending/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err169] : vErrors.push(err169), errors++;
                }
                if (data48 < -1 || isNaN(data48)) {
                  let err170 = { instancePath: instancePath + "/ulimits/sigpending/soft", schemaPath: "#/properties/ulimits/properties/sigpending/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err170] : vErrors.push(err170), errors++;
                }
              }
            }
            if (data47.hard !== void 0) {
              let data49 = data47.hard;
              if (!(typeof data49 == "number" && !(data49 % 1) && !isNaN(data49) && isFinite(data49))) {
                let err171 = { instancePath: instancePath + "/ulimits/sigpending/hard", schemaPath: "#/properties/ulimits/properties/sigpending/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err171] : vErrors.push(err171), errors++;
              }
              if (typeof data49 == "number" && isFinite(data49)) {
                if (data49 > 999999999999999 || isNaN(data49)) {
                  let err172 = { instancePath: instancePath + "/ulimits/sigpending/hard", schemaPath: "#/properties/ulimits/properties/sigpending/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err172] : vErrors.push(err172), errors++;
                }
                if (data49 < -1 || isNaN(data49)) {
                  let err173 = { instancePath: instancePath + "/ulimits/sigpending/hard", schemaPath: "#/properties/ulimits/properties/sigpending/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err173] : vErrors.push(err173), errors++;
                }
              }
            }
          } else {
            let err174 = { instancePath: instancePath + "/ulimits/sigpending", schemaPath: "#/properties/ulimits/properties/sigpending/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err174] : vErrors.push(err174), errors++;
          }
        }
        if (data10.stack !== void 0) {
          let data50 = data10.stack;
          if (data50 && typeof data50 == "object" && !Array.isArray(data50)) {
            if (data50.soft === void 0) {
              let err175 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/required", keyword: "required", params: { missingProperty: "soft" }, message: "must have required property 'soft'" };
              vErrors === null ? vErrors = [err175] : vErrors.push(err175), errors++;
            }
            if (data50.hard === void 0) {
              let err176 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/required", keyword: "required", params: { missingProperty: "hard" }, message: "must have required property 'hard'" };
              vErrors === null ? vErrors = [err176] : vErrors.push(err176), errors++;
            }
            for (let key15 in data50)
              if (!(key15 === "soft" || key15 === "hard")) {
                let err177 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key15 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err177] : vErrors.push(err177), errors++;
              }
            if (data50.soft !== void 0) {
              let data51 = data50.soft;
              if (!(typeof data51 == "number" && !(data51 % 1) && !isNaN(data51) && isFinite(data51))) {
                let err178 = { instancePath: instancePath + "/ulimits/stack/soft", schemaPath: "#/properties/ulimits/properties/stack/properties/soft/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err178] : vErrors.push(err178), errors++;
              }
              if (typeof data51 == "number" && isFinite(data51)) {
                if (data51 > 999999999999999 || isNaN(data51)) {
                  let err179 = { instancePath: instancePath + "/ulimits/stack/soft", schemaPath: "#/properties/ulimits/properties/stack/properties/soft/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err179] : vErrors.push(err179), errors++;
                }
                if (data51 < -1 || isNaN(data51)) {
                  let err180 = { instancePath: instancePath + "/ulimits/stack/soft", schemaPath: "#/properties/ulimits/properties/stack/properties/soft/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err180] : vErrors.push(err180), errors++;
                }
              }
            }
            if (data50.hard !== void 0) {
              let data52 = data50.hard;
              if (!(typeof data52 == "number" && !(data52 % 1) && !isNaN(data52) && isFinite(data52))) {
                let err181 = { instancePath: instancePath + "/ulimits/stack/hard", schemaPath: "#/properties/ulimits/properties/stack/properties/hard/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err181] : vErrors.push(err181), errors++;
              }
              if (typeof data52 == "number" && isFinite(data52)) {
                if (data52 > 999999999999999 || isNaN(data52)) {
                  let err182 = { instancePath: instancePath + "/ulimits/stack/hard", schemaPath: "#/properties/ulimits/properties/stack/properties/hard/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999999999999999 }, message: "must be <= 999999999999999" };
                  vErrors === null ? vErrors = [err182] : vErrors.push(err182), errors++;
                }
                if (data52 < -1 || isNaN(data52)) {
                  let err183 = { instancePath: instancePath + "/ulimits/stack/hard", schemaPath: "#/properties/ulimits/properties/stack/properties/hard/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1 }, message: "must be >= -1" };
                  vErrors === null ? vErrors = [err183] : vErrors.push(err183), errors++;
                }
              }
            }
          } else {
            let err184 = { instancePath: instancePath + "/ulimits/stack", schemaPath: "#/properties/ulimits/properties/stack/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err184] : vErrors.push(err184), errors++;
          }
        }
      } else {
        let err185 = { instancePath: instancePath + "/ulimits", schemaPath: "#/properties/ulimits/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err185] : vErrors.push(err185), errors++;
      }
    }
    if (data.shm_size !== void 0) {
      let data53 = data.shm_size;
      if (!(typeof data53 == "number" && !(data53 % 1) && !isNaN(data53) && isFinite(data53))) {
        let err186 = { instancePath: instancePath + "/shm_size", schemaPath: "#/properties/shm_size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err186] : vErrors.push(err186), errors++;
      }
      if (typeof data53 == "number" && isFinite(data53)) {
        if (data53 > 1048576 || isNaN(data53)) {
          let err187 = { instancePath: instancePath + "/shm_size", schemaPath: "#/properties/shm_size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
          vErrors === null ? vErrors = [err187] : vErrors.push(err187), errors++;
        }
        if (data53 < 1 || isNaN(data53)) {
          let err188 = { instancePath: instancePath + "/shm_size", schemaPath: "#/properties/shm_size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          vErrors === null ? vErrors = [err188] : vErrors.push(err188), errors++;
        }
      }
    }
    if (data.command !== void 0) {
      let data54 = data.command;
      if (Array.isArray(data54)) {
        let len0 = data54.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data54[i0] != "string") {
            let err189 = { instancePath: instancePath + "/command/" + i0, schemaPath: "#/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err189] : vErrors.push(err189), errors++;
          }
      } else {
        let err190 = { instancePath: instancePath + "/command", schemaPath: "#/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err190] : vErrors.push(err190), errors++;
      }
    }
    if (data.entrypoint !== void 0) {
      let data56 = data.entrypoint;
      if (Array.isArray(data56)) {
        let len1 = data56.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data56[i1] != "string") {
            let err191 = { instancePath: instancePath + "/entrypoint/" + i1, schemaPath: "#/properties/entrypoint/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err191] : vErrors.push(err191), errors++;
          }
      } else {
        let err192 = { instancePath: instancePath + "/entrypoint", schemaPath: "#/properties/entrypoint/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err192] : vErrors.push(err192), errors++;
      }
    }
    if (data.environment !== void 0) {
      let data58 = data.environment;
      if (data58 && typeof data58 == "object" && !Array.isArray(data58)) {
        var props0 = {};
        for (let key16 in data58)
          if (pattern7.test(key16)) {
            if (typeof data58[key16] != "string") {
              let err193 = { instancePath: instancePath + "/environment/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environment/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err193] : vErrors.push(err193), errors++;
            }
            props0[key16] = !0;
          }
      } else {
        let err194 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err194] : vErrors.push(err194), errors++;
      }
    }
    if (data.user !== void 0) {
      let data60 = data.user;
      if (typeof data60 == "string") {
        if (func2(data60) < 1) {
          let err195 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err195] : vErrors.push(err195), errors++;
        }
        if (!pattern8.test(data60)) {
          let err196 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/pattern", keyword: "pattern", params: { pattern: "^[^\\s]+$" }, message: 'must match pattern "^[^\\s]+$"' };
          vErrors === null ? vErrors = [err196] : vErrors.push(err196), errors++;
        }
      } else {
        let err197 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err197] : vErrors.push(err197), errors++;
      }
    }
    if (data.group_add !== void 0) {
      let data61 = data.group_add;
      if (Array.isArray(data61)) {
        if (data61.length > 100) {
          let err198 = { instancePath: instancePath + "/group_add", schemaPath: "#/properties/group_add/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err198] : vErrors.push(err198), errors++;
        }
        let len2 = data61.length;
        for (let i2 = 0; i2 < len2; i2++) {
          let data62 = data61[i2];
          if (typeof data62 == "string") {
            if (func2(data62) > 100) {
              let err199 = { instancePath: instancePath + "/group_add/" + i2, schemaPath: "#/properties/group_add/items/maxLength", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
              vErrors === null ? vErrors = [err199] : vErrors.push(err199), errors++;
            }
            if (!pattern9.test(data62)) {
              let err200 = { instancePath: instancePath + "/group_add/" + i2, schemaPath: "#/properties/group_add/items/pattern", keyword: "pattern", params: { pattern: "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$" }, message: 'must match pattern "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$"' };
              vErrors === null ? vErrors = [err200] : vErrors.push(err200), errors++;
            }
          } else {
            let err201 = { instancePath: instancePath + "/group_add/" + i2, schemaPath: "#/properties/group_add/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err201] : vErrors.push(err201), errors++;
          }
        }
      } else {
        let err202 = { instancePath: instancePath + "/group_add", schemaPath: "#/properties/group_add/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err202] : vErrors.push(err202), errors++;
      }
    }
    if (data.working_dir !== void 0) {
      let data63 = data.working_dir;
      if (typeof data63 == "string") {
        if (!pattern10.test(data63)) {
          let err203 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
          vErrors === null ? vErrors = [err203] : vErrors.push(err203), errors++;
        }
      } else {
        let err204 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err204] : vErrors.push(err204), errors++;
      }
    }
    if (data.hostname !== void 0) {
      let data64 = data.hostname;
      if (typeof data64 == "string") {
        if (func2(data64) > 253) {
          let err205 = { instancePath: instancePath + "/hostname", schemaPath: "#/properties/hostname/maxLength", keyword: "maxLength", params: { limit: 253 }, message: "must NOT have more than 253 characters" };
          vErrors === null ? vErrors = [err205] : vErrors.push(err205), errors++;
        }
        if (!pattern11.test(data64)) {
          let err206 = { instancePath: instancePath + "/hostname", schemaPath: "#/properties/hostname/pattern", keyword: "pattern", params: { pattern: "^(?:[A-Za-z0-9.-]|[^]*)+$" }, message: 'must match pattern "^(?:[A-Za-z0-9.-]|[^]*)+$"' };
          vErrors === null ? vErrors = [err206] : vErrors.push(err206), errors++;
        }
      } else {
        let err207 = { instancePath: instancePath + "/hostname", schemaPath: "#/properties/hostname/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err207] : vErrors.push(err207), errors++;
      }
    }
    if (data.extra_hosts !== void 0) {
      let data65 = data.extra_hosts;
      if (Array.isArray(data65)) {
        if (data65.length > 100) {
          let err208 = { instancePath: instancePath + "/extra_hosts", schemaPath: "#/properties/extra_hosts/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err208] : vErrors.push(err208), errors++;
        }
        let len3 = data65.length;
        for (let i3 = 0; i3 < len3; i3++) {
          let data66 = data65[i3];
          if (typeof data66 == "string") {
            if (!pattern12.test(data66)) {
              let err209 = { instancePath: instancePath + "/extra_hosts/" + i3, schemaPath: "#/properties/extra_hosts/items/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$" }, message: 'must match pattern "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$"' };
              vErrors === null ? vErrors = [err209] : vErrors.push(err209), errors++;
            }
          } else {
            let err210 = { instancePath: instancePath + "/extra_hosts/" + i3, schemaPath: "#/properties/extra_hosts/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err210] : vErrors.push(err210), errors++;
          }
        }
      } else {
        let err211 = { instancePath: instancePath + "/extra_hosts", schemaPath: "#/properties/extra_hosts/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err211] : vErrors.push(err211), errors++;
      }
    }
    if (data.init !== void 0 && typeof data.init != "boolean") {
      let err212 = { instancePath: instancePath + "/init", schemaPath: "#/properties/init/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err212] : vErrors.push(err212), errors++;
    }
    if (data.read_only !== void 0 && typeof data.read_only != "boolean") {
      let err213 = { instancePath: instancePath + "/read_only", schemaPath: "#/properties/read_only/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err213] : vErrors.push(err213), errors++;
    }
    if (data.cap_add !== void 0) {
      let data69 = data.cap_add;
      if (Array.isArray(data69)) {
        if (data69.length > 50) {
          let err214 = { instancePath: instancePath + "/cap_add", schemaPath: "#/properties/cap_add/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err214] : vErrors.push(err214), errors++;
        }
        let len4 = data69.length;
        for (let i4 = 0; i4 < len4; i4++) {
          let data70 = data69[i4];
          if (typeof data70 != "string") {
            let err215 = { instancePath: instancePath + "/cap_add/" + i4, schemaPath: "#/properties/cap_add/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err215] : vErrors.push(err215), errors++;
          }
          if (!(data70 === "ALL" || data70 === "AUDIT_CONTROL" || data70 === "AUDIT_READ" || data70 === "AUDIT_WRITE" || data70 === "BLOCK_SUSPEND" || data70 === "BPF" || data70 === "CHECKPOINT_RESTORE" || data70 === "CHOWN" || data70 === "DAC_OVERRIDE" || data70 === "DAC_READ_SEARCH" || data70 === "FOWNER" || data70 === "FSETID" || data70 === "IPC_LOCK" || data70 === "IPC_OWNER" || data70 === "KILL" || data70 === "LEASE" || data70 === "LINUX_IMMUTABLE" || data70 === "MAC_ADMIN" || data70 === "MAC_OVERRIDE" || data70 === "MKNOD" || data70 === "NET_ADMIN" || data70 === "NET_BIND_SERVICE" || data70 === "NET_BROADCAST" || data70 === "NET_RAW" || data70 === "PERFMON" || data70 === "SETFCAP" || data70 === "SETGID" || data70 === "SETPCAP" || data70 === "SETUID" || data70 === "SYSLOG" || data70 === "SYS_ADMIN" || data70 === "SYS_BOOT" || data70 === "SYS_CHROOT" || data70 === "SYS_MODULE" || data70 === "SYS_NICE" || data70 === "SYS_PACCT" || data70 === "SYS_PTRACE" || data70 === "SYS_RAWIO" || data70 === "SYS_RESOURCE" || data70 === "SYS_TIME" || data70 === "SYS_TTY_CONFIG" || data70 === "WAKE_ALARM")) {
            let err216 = { instancePath: instancePath + "/cap_add/" + i4, schemaPath: "#/properties/cap_add/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.cap_add.items.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err216] : vErrors.push(err216), errors++;
          }
        }
      } else {
        let err217 = { instancePath: instancePath + "/cap_add", schemaPath: "#/properties/cap_add/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err217] : vErrors.push(err217), errors++;
      }
    }
    if (data.cap_drop !== void 0) {
      let data71 = data.cap_drop;
      if (Array.isArray(data71)) {
        if (data71.length > 50) {
          let err218 = { instancePath: instancePath + "/cap_drop", schemaPath: "#/properties/cap_drop/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err218] : vErrors.push(err218), errors++;
        }
        let len5 = data71.length;
        for (let i5 = 0; i5 < len5; i5++) {
          let data72 = data71[i5];
          if (typeof data72 != "string") {
            let err219 = { instancePath: instancePath + "/cap_drop/" + i5, schemaPath: "#/properties/cap_drop/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err219] : vErrors.push(err219), errors++;
          }
          if (!(data72 === "ALL" || data72 === "AUDIT_CONTROL" || data72 === "AUDIT_READ" || data72 === "AUDIT_WRITE" || data72 === "BLOCK_SUSPEND" || data72 === "BPF" || data72 === "CHECKPOINT_RESTORE" || data72 === "CHOWN" || data72 === "DAC_OVERRIDE" || data72 === "DAC_READ_SEARCH" || data72 === "FOWNER" || data72 === "FSETID" || data72 === "IPC_LOCK" || data72 === "IPC_OWNER" || data72 === "KILL" || data72 === "LEASE" || data72 === "LINUX_IMMUTABLE" || data72 === "MAC_ADMIN" || data72 === "MAC_OVERRIDE" || data72 === "MKNOD" || data72 === "NET_ADMIN" || data72 === "NET_BIND_SERVICE" || data72 === "NET_BROADCAST" || data72 === "NET_RAW" || data72 === "PERFMON" || data72 === "SETFCAP" || data72 === "SETGID" || data72 === "SETPCAP" || data72 === "SETUID" || data72 === "SYSLOG" || data72 === "SYS_ADMIN" || data72 === "SYS_BOOT" || data72 === "SYS_CHROOT" || data72 === "SYS_MODULE" || data72 === "SYS_NICE" || data72 === "SYS_PACCT" || data72 === "SYS_PTRACE" || data72 === "SYS_RAWIO" || data72 === "SYS_RESOURCE" || data72 === "SYS_TIME" || data72 === "SYS_TTY_CONFIG" || data72 === "WAKE_ALARM")) {
            let err220 = { instancePath: instancePath + "/cap_drop/" + i5, schemaPath: "#/properties/cap_drop/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.cap_drop.items.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err220] : vErrors.push(err220), errors++;
          }
        }
      } else {
        let err221 = { instancePath: instancePath + "/cap_drop", schemaPath: "#/properties/cap_drop/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err221] : vErrors.push(err221), errors++;
      }
    }
    if (data.privileged !== void 0 && typeof data.privileged != "boolean") {
      let err222 = { instancePath: instancePath + "/privileged", schemaPath: "#/properties/privileged/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      vErrors === null ? vErrors = [err222] : vErrors.push(err222), errors++;
    }
    if (data.devices !== void 0) {
      let data74 = data.devices;
      if (Array.isArray(data74)) {
        if (data74.length > 100) {
          let err223 = { instancePath: instancePath + "/devices", schemaPath: "#/properties/devices/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err223] : vErrors.push(err223), errors++;
        }
        let len6 = data74.length;
        for (let i6 = 0; i6 < len6; i6++) {
          let data75 = data74[i6];
          if (typeof data75 == "string") {
            if (func2(data75) > 512) {
              let err224 = { instancePath: instancePath + "/devices/" + i6, schemaPath: "#/properties/devices/items/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
              vErrors === null ? vErrors = [err224] : vErrors.push(err224), errors++;
            }
            if (!pattern13.test(data75)) {
              let err225 = { instancePath: instancePath + "/devices/" + i6, schemaPath: "#/properties/devices/items/pattern", keyword: "pattern", params: { pattern: "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$" }, message: 'must match pattern "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$"' };
              vErrors === null ? vErrors = [err225] : vErrors.push(err225), errors++;
            }
          } else {
            let err226 = { instancePath: instancePath + "/devices/" + i6, schemaPath: "#/properties/devices/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err226] : vErrors.push(err226), errors++;
          }
        }
      } else {
        let err227 = { instancePath: instancePath + "/devices", schemaPath: "#/properties/devices/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err227] : vErrors.push(err227), errors++;
      }
    }
    if (data.gpus !== void 0) {
      let data76 = data.gpus;
      if (typeof data76 == "string") {
        if (func2(data76) > 1e3) {
          let err228 = { instancePath: instancePath + "/gpus", schemaPath: "#/properties/gpus/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
          vErrors === null ? vErrors = [err228] : vErrors.push(err228), errors++;
        }
        if (!pattern14.test(data76)) {
          let err229 = { instancePath: instancePath + "/gpus", schemaPath: "#/properties/gpus/pattern", keyword: "pattern", params: { pattern: "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$" }, message: 'must match pattern "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$"' };
          vErrors === null ? vErrors = [err229] : vErrors.push(err229), errors++;
        }
      } else {
        let err230 = { instancePath: instancePath + "/gpus", schemaPath: "#/properties/gpus/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err230] : vErrors.push(err230), errors++;
      }
    }
    if (data.sysctls !== void 0) {
      let data77 = data.sysctls;
      if (data77 && typeof data77 == "object" && !Array.isArray(data77)) {
        var props1 = {};
        for (let key17 in data77)
          if (pattern7.test(key17)) {
            if (typeof data77[key17] != "string") {
              let err231 = { instancePath: instancePath + "/sysctls/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/sysctls/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err231] : vErrors.push(err231), errors++;
            }
            props1[key17] = !0;
          }
      } else {
        let err232 = { instancePath: instancePath + "/sysctls", schemaPath: "#/properties/sysctls/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err232] : vErrors.push(err232), errors++;
      }
    }
    if (data.volumes !== void 0) {
      let data79 = data.volumes;
      if (Array.isArray(data79)) {
        if (data79.length > 100) {
          let err233 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err233] : vErrors.push(err233), errors++;
        }
        let len7 = data79.length;
        for (let i7 = 0; i7 < len7; i7++) {
          let data80 = data79[i7];
          if (data80 && typeof data80 == "object" && !Array.isArray(data80)) {
            if (data80.path === void 0) {
              let err234 = { instancePath: instancePath + "/volumes/" + i7, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
              vErrors === null ? vErrors = [err234] : vErrors.push(err234), errors++;
            }
            if (data80.readonly === void 0) {
              let err235 = { instancePath: instancePath + "/volumes/" + i7, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "readonly" }, message: "must have required property 'readonly'" };
              vErrors === null ? vErrors = [err235] : vErrors.push(err235), errors++;
            }
            for (let key18 in data80)
              if (!(key18 === "name" || key18 === "host" || key18 === "tmpfs" || key18 === "path" || key18 === "readonly" || key18 === "scope" || key18 === "on_lost" || key18 === "size")) {
                let err236 = { instancePath: instancePath + "/volumes/" + i7, schemaPath: "#/properties/volumes/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key18 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err236] : vErrors.push(err236), errors++;
              }
            if (data80.name !== void 0) {
              let data81 = data80.name;
              if (typeof data81 == "string") {
                if (!pattern16.test(data81)) {
                  let err237 = { instancePath: instancePath + "/volumes/" + i7 + "/name", schemaPath: "#/properties/volumes/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"' };
                  vErrors === null ? vErrors = [err237] : vErrors.push(err237), errors++;
                }
              } else {
                let err238 = { instancePath: instancePath + "/volumes/" + i7 + "/name", schemaPath: "#/properties/volumes/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err238] : vErrors.push(err238), errors++;
              }
            }
            if (data80.host !== void 0) {
              let data82 = data80.host;
              if (typeof data82 == "string") {
                if (func2(data82) > 1e3) {
                  let err239 = { instancePath: instancePath + "/volumes/" + i7 + "/host", schemaPath: "#/properties/volumes/items/properties/host/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err239] : vErrors.push(err239), errors++;
                }
                if (!pattern17.test(data82)) {
                  let err240 = { instancePath: instancePath + "/volumes/" + i7 + "/host", schemaPath: "#/properties/volumes/items/properties/host/pattern", keyword: "pattern", params: { pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$` }, message: `must match pattern "^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$"` };
                  vErrors === null ? vErrors = [err240] : vErrors.push(err240), errors++;
                }
              } else {
                let err241 = { instancePath: instancePath + "/volumes/" + i7 + "/host", schemaPath: "#/properties/volumes/items/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err241] : vErrors.push(err241), errors++;
              }
            }
            if (data80.tmpfs !== void 0) {
              let data83 = data80.tmpfs;
              if (typeof data83 != "boolean") {
                let err242 = { instancePath: instancePath + "/volumes/" + i7 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err242] : vErrors.push(err242), errors++;
              }
              if (data83 !== !0) {
                let err243 = { instancePath: instancePath + "/volumes/" + i7 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err243] : vErrors.push(err243), errors++;
              }
            }
            if (data80.path !== void 0) {
              let data84 = data80.path;
              if (typeof data84 == "string") {
                if (func2(data84) > 1e3) {
                  let err244 = { instancePath: instancePath + "/volumes/" + i7 + "/path", schemaPath: "#/properties/volumes/items/properties/path/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err244] : vErrors.push(err244), errors++;
                }
                if (!pattern18.test(data84)) {
                  let err245 = { instancePath: instancePath + "/volumes/" + i7 + "/path", schemaPath: "#/properties/volumes/items/properties/path/pattern", keyword: "pattern", params: { pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$` }, message: `must match pattern "^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$"` };
                  vErrors === null ? vErrors = [err245] : vErrors.push(err245), errors++;
                }
              } else {
                let err246 = { instancePath: instancePath + "/volumes/" + i7 + "/path", schemaPath: "#/properties/volumes/items/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err246] : vErrors.push(err246), errors++;
              }
            }
            if (data80.readonly !== void 0 && typeof data80.readonly != "boolean") {
              let err247 = { instancePath: instancePath + "/volumes/" + i7 + "/readonly", schemaPath: "#/properties/volumes/items/properties/readonly/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err247] : vErrors.push(err247), errors++;
            }
            if (data80.scope !== void 0) {
              let data86 = data80.scope;
              if (typeof data86 != "string") {
                let err248 = { instancePath: instancePath + "/volumes/" + i7 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err248] : vErrors.push(err248), errors++;
              }
              if (!(data86 === "instance" || data86 === "service")) {
                let err249 = { instancePath: instancePath + "/volumes/" + i7 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/enum", keyword: "enum", params: { allowedValues: schema31.properties.volumes.items.properties.scope.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err249] : vErrors.push(err249), errors++;
              }
            }
            if (data80.on_lost !== void 0) {
              let data87 = data80.on_lost;
              if (typeof data87 != "string") {
                let err250 = { instancePath: instancePath + "/volumes/" + i7 + "/on_lost", schemaPath: "#/properties/volumes/items/properties/on_lost/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err250] : vErrors.push(err250), errors++;
              }
              if (!(data87 === "wait" || data87 === "fresh")) {
                let err251 = { instancePath: instancePath + "/volumes/" + i7 + "/on_lost", schemaPath: "#/properties/volumes/items/properties/on_lost/enum", keyword: "enum", params: { allowedValues: schema31.properties.volumes.items.properties.on_lost.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err251] : vErrors.push(err251), errors++;
              }
            }
            if (data80.size !== void 0) {
              let data88 = data80.size;
              if (!(typeof data88 == "number" && !(data88 % 1) && !isNaN(data88) && isFinite(data88))) {
                let err252 = { instancePath: instancePath + "/volumes/" + i7 + "/size", schemaPath: "#/properties/volumes/items/properties/size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err252] : vErrors.push(err252), errors++;
              }
              if (typeof data88 == "number" && isFinite(data88)) {
                if (data88 > 1048576 || isNaN(data88)) {
                  let err253 = { instancePath: instancePath + "/volumes/" + i7 + "/size", schemaPath: "#/properties/volumes/items/properties/size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
                  vErrors === null ? vErrors = [err253] : vErrors.push(err253), errors++;
                }
                if (data88 < 1 || isNaN(data88)) {
                  let err254 = { instancePath: instancePath + "/volumes/" + i7 + "/size", schemaPath: "#/properties/volumes/items/properties/size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err254] : vErrors.push(err254), errors++;
                }
              }
            }
          } else {
            let err255 = { instancePath: instancePath + "/volumes/" + i7, schemaPath: "#/properties/volumes/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err255] : vErrors.push(err255), errors++;
          }
        }
      } else {
        let err256 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err256] : vErrors.push(err256), errors++;
      }
    }
    if (data.ports !== void 0) {
      let data89 = data.ports;
      if (Array.isArray(data89)) {
        if (data89.length > 1e3) {
          let err257 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
          vErrors === null ? vErrors = [err257] : vErrors.push(err257), errors++;
        }
        let len8 = data89.length;
        for (let i8 = 0; i8 < len8; i8++) {
          let data90 = data89[i8];
          if (data90 && typeof data90 == "object" && !Array.isArray(data90)) {
            if (data90.container === void 0) {
              let err258 = { instancePath: instancePath + "/ports/" + i8, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "container" }, message: "must have required property 'container'" };
              vErrors === null ? vErrors = [err258] : vErrors.push(err258), errors++;
            }
            if (data90.protocol === void 0) {
              let err259 = { instancePath: instancePath + "/ports/" + i8, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "protocol" }, message: "must have required property 'protocol'" };
              vErrors === null ? vErrors = [err259] : vErrors.push(err259), errors++;
            }
            for (let key19 in data90)
              if (!(key19 === "ip" || key19 === "host" || key19 === "container" || key19 === "protocol")) {
                let err260 = { instancePath: instancePath + "/ports/" + i8, schemaPath: "#/properties/ports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key19 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err260] : vErrors.push(err260), errors++;
              }
            if (data90.ip !== void 0 && typeof data90.ip != "string") {
              let err261 = { instancePath: instancePath + "/ports/" + i8 + "/ip", schemaPath: "#/properties/ports/items/properties/ip/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err261] : vErrors.push(err261), errors++;
            }
            if (data90.host !== void 0) {
              let data92 = data90.host;
              if (!(typeof data92 == "number" && !(data92 % 1) && !isNaN(data92) && isFinite(data92))) {
                let err262 = { instancePath: instancePath + "/ports/" + i8 + "/host", schemaPath: "#/properties/ports/items/properties/host/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err262] : vErrors.push(err262), errors++;
              }
              if (typeof data92 == "number" && isFinite(data92)) {
                if (data92 > 65535 || isNaN(data92)) {
                  let err263 = { instancePath: instancePath + "/ports/" + i8 + "/host", schemaPath: "#/properties/ports/items/properties/host/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err263] : vErrors.push(err263), errors++;
                }
                if (data92 < 0 || isNaN(data92)) {
                  let err264 = { instancePath: instancePath + "/ports/" + i8 + "/host", schemaPath: "#/properties/ports/items/properties/host/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                  vErrors === null ? vErrors = [err264] : vErrors.push(err264), errors++;
                }
              }
            }
            if (data90.container !== void 0) {
              let data93 = data90.container;
              if (!(typeof data93 == "number" && !(data93 % 1) && !isNaN(data93) && isFinite(data93))) {
                let err265 = { instancePath: instancePath + "/ports/" + i8 + "/container", schemaPath: "#/properties/ports/items/properties/container/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err265] : vErrors.push(err265), errors++;
              }
              if (typeof data93 == "number" && isFinite(data93)) {
                if (data93 > 65535 || isNaN(data93)) {
                  let err266 = { instancePath: instancePath + "/ports/" + i8 + "/container", schemaPath: "#/properties/ports/items/properties/container/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err266] : vErrors.push(err266), errors++;
                }
                if (data93 < 1 || isNaN(data93)) {
                  let err267 = { instancePath: instancePath + "/ports/" + i8 + "/container", schemaPath: "#/properties/ports/items/properties/container/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err267] : vErrors.push(err267), errors++;
                }
              }
            }
            if (data90.protocol !== void 0) {
              let data94 = data90.protocol;
              if (typeof data94 != "string") {
                let err268 = { instancePath: instancePath + "/ports/" + i8 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err268] : vErrors.push(err268), errors++;
              }
              if (!(data94 === "tcp" || data94 === "udp")) {
                let err269 = { instancePath: instancePath + "/ports/" + i8 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/enum", keyword: "enum", params: { allowedValues: schema31.properties.ports.items.properties.protocol.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err269] : vErrors.push(err269), errors++;
              }
            }
          } else {
            let err270 = { instancePath: instancePath + "/ports/" + i8, schemaPath: "#/properties/ports/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err270] : vErrors.push(err270), errors++;
          }
        }
      } else {
        let err271 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err271] : vErrors.push(err271), errors++;
      }
    }
    if (data.dns !== void 0) {
      let data95 = data.dns;
      if (Array.isArray(data95)) {
        if (data95.length > 10) {
          let err272 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
          vErrors === null ? vErrors = [err272] : vErrors.push(err272), errors++;
        }
        let len9 = data95.length;
        for (let i9 = 0; i9 < len9; i9++) {
          let data96 = data95[i9];
          if (typeof data96 == "string") {
            if (func2(data96) < 2) {
              let err273 = { instancePath: instancePath + "/dns/" + i9, schemaPath: "#/properties/dns/items/minLength", keyword: "minLength", params: { limit: 2 }, message: "must NOT have fewer than 2 characters" };
              vErrors === null ? vErrors = [err273] : vErrors.push(err273), errors++;
            }
          } else {
            let err274 = { instancePath: instancePath + "/dns/" + i9, schemaPath: "#/properties/dns/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err274] : vErrors.push(err274), errors++;
          }
        }
      } else {
        let err275 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err275] : vErrors.push(err275), errors++;
      }
    }
    if (data["dns-search"] !== void 0) {
      let data97 = data["dns-search"];
      if (Array.isArray(data97)) {
        if (data97.length > 32) {
          let err276 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/maxItems", keyword: "maxItems", params: { limit: 32 }, message: "must NOT have more than 32 items" };
          vErrors === null ? vErrors = [err276] : vErrors.push(err276), errors++;
        }
        let len10 = data97.length;
        for (let i10 = 0; i10 < len10; i10++) {
          let data98 = data97[i10];
          if (typeof data98 == "string") {
            if (!pattern19.test(data98)) {
              let err277 = { instancePath: instancePath + "/dns-search/" + i10, schemaPath: "#/properties/dns-search/items/pattern", keyword: "pattern", params: { pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$" }, message: 'must match pattern "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$"' };
              vErrors === null ? vErrors = [err277] : vErrors.push(err277), errors++;
            }
          } else {
            let err278 = { instancePath: instancePath + "/dns-search/" + i10, schemaPath: "#/properties/dns-search/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err278] : vErrors.push(err278), errors++;
          }
        }
      } else {
        let err279 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err279] : vErrors.push(err279), errors++;
      }
    }
    if (data.cns !== void 0) {
      let data99 = data.cns;
      if (data99 && typeof data99 == "object" && !Array.isArray(data99)) {
        for (let key20 in data99)
          if (!(key20 === "services" || key20 === "ttl" || key20 === "hysteresis" || key20 === "disable")) {
            let err280 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key20 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err280] : vErrors.push(err280), errors++;
          }
        if (data99.services !== void 0) {
          let data100 = data99.services;
          if (Array.isArray(data100)) {
            if (data100.length > 100) {
              let err281 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              vErrors === null ? vErrors = [err281] : vErrors.push(err281), errors++;
            }
            let len11 = data100.length;
            for (let i11 = 0; i11 < len11; i11++) {
              let data101 = data100[i11];
              if (typeof data101 == "string") {
                if (func2(data101) < 1) {
                  let err282 = { instancePath: instancePath + "/cns/services/" + i11, schemaPath: "#/properties/cns/properties/services/items/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err282] : vErrors.push(err282), errors++;
                }
              } else {
                let err283 = { instancePath: instancePath + "/cns/services/" + i11, schemaPath: "#/properties/cns/properties/services/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err283] : vErrors.push(err283), errors++;
              }
            }
          } else {
            let err284 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err284] : vErrors.push(err284), errors++;
          }
        }
        if (data99.ttl !== void 0) {
          let data102 = data99.ttl;
          if (!(typeof data102 == "number" && !(data102 % 1) && !isNaN(data102) && isFinite(data102))) {
            let err285 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err285] : vErrors.push(err285), errors++;
          }
          if (typeof data102 == "number" && isFinite(data102)) {
            if (data102 > 3600 || isNaN(data102)) {
              let err286 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
              vErrors === null ? vErrors = [err286] : vErrors.push(err286), errors++;
            }
            if (data102 < 0 || isNaN(data102)) {
              let err287 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err287] : vErrors.push(err287), errors++;
            }
          }
        }
        if (data99.hysteresis !== void 0 && typeof data99.hysteresis != "boolean") {
          let err288 = { instancePath: instancePath + "/cns/hysteresis", schemaPath: "#/properties/cns/properties/hysteresis/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err288] : vErrors.push(err288), errors++;
        }
        if (data99.disable !== void 0 && typeof data99.disable != "boolean") {
          let err289 = { instancePath: instancePath + "/cns/disable", schemaPath: "#/properties/cns/properties/disable/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err289] : vErrors.push(err289), errors++;
        }
      } else {
        let err290 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err290] : vErrors.push(err290), errors++;
      }
    }
    if (data.labels !== void 0) {
      let data105 = data.labels;
      if (data105 && typeof data105 == "object" && !Array.isArray(data105)) {
        var props2 = {};
        for (let key21 in data105)
          if (pattern7.test(key21)) {
            if (typeof data105[key21] != "string") {
              let err291 = { instancePath: instancePath + "/labels/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/labels/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err291] : vErrors.push(err291), errors++;
            }
            props2[key21] = !0;
          }
      } else {
        let err292 = { instancePath: instancePath + "/labels", schemaPath: "#/properties/labels/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err292] : vErrors.push(err292), errors++;
      }
    }
    if (data.affinity !== void 0) {
      let data107 = data.affinity;
      if (Array.isArray(data107)) {
        if (data107.length > 100) {
          let err293 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err293] : vErrors.push(err293), errors++;
        }
        let len12 = data107.length;
        for (let i12 = 0; i12 < len12; i12++) {
          let data108 = data107[i12];
          if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
            if (data108.key === void 0) {
              let err294 = { instancePath: instancePath + "/affinity/" + i12, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "key" }, message: "must have required property 'key'" };
              vErrors === null ? vErrors = [err294] : vErrors.push(err294), errors++;
            }
            if (data108.operator === void 0) {
              let err295 = { instancePath: instancePath + "/affinity/" + i12, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
              vErrors === null ? vErrors = [err295] : vErrors.push(err295), errors++;
            }
            if (data108.value === void 0) {
              let err296 = { instancePath: instancePath + "/affinity/" + i12, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
              vErrors === null ? vErrors = [err296] : vErrors.push(err296), errors++;
            }
            for (let key22 in data108)
              if (!(key22 === "key" || key22 === "operator" || key22 === "value" || key22 === "by")) {
                let err297 = { instancePath: instancePath + "/affinity/" + i12, schemaPath: "#/properties/affinity/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key22 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err297] : vErrors.push(err297), errors++;
              }
            if (data108.key !== void 0) {
              let data109 = data108.key;
              if (typeof data109 == "string") {
                if (!pattern21.test(data109)) {
                  let err298 = { instancePath: instancePath + "/affinity/" + i12 + "/key", schemaPath: "#/properties/affinity/items/properties/key/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$" }, message: 'must match pattern "^[A-Za-z_][A-Za-z0-9_.-]+$"' };
                  vErrors === null ? vErrors = [err298] : vErrors.push(err298), errors++;
                }
              } else {
                let err299 = { instancePath: instancePath + "/affinity/" + i12 + "/key", schemaPath: "#/properties/affinity/items/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err299] : vErrors.push(err299), errors++;
              }
            }
            if (data108.operator !== void 0) {
              let data110 = data108.operator;
              if (typeof data110 != "string") {
                let err300 = { instancePath: instancePath + "/affinity/" + i12 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err300] : vErrors.push(err300), errors++;
              }
              if (!(data110 === "==" || data110 === "!=" || data110 === "==~" || data110 === "!=~")) {
                let err301 = { instancePath: instancePath + "/affinity/" + i12 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.affinity.items.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err301] : vErrors.push(err301), errors++;
              }
            }
            if (data108.value !== void 0) {
              let data111 = data108.value;
              if (typeof data111 == "string") {
                if (func2(data111) > 256) {
                  let err302 = { instancePath: instancePath + "/affinity/" + i12 + "/value", schemaPath: "#/properties/affinity/items/properties/value/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                  vErrors === null ? vErrors = [err302] : vErrors.push(err302), errors++;
                }
                if (!pattern22.test(data111)) {
                  let err303 = { instancePath: instancePath + "/affinity/" + i12 + "/value", schemaPath: "#/properties/affinity/items/properties/value/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$" }, message: 'must match pattern "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$"' };
                  vErrors === null ? vErrors = [err303] : vErrors.push(err303), errors++;
                }
              } else {
                let err304 = { instancePath: instancePath + "/affinity/" + i12 + "/value", schemaPath: "#/properties/affinity/items/properties/value/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err304] : vErrors.push(err304), errors++;
              }
            }
            if (data108.by !== void 0) {
              let data112 = data108.by;
              if (typeof data112 == "string") {
                if (!pattern23.test(data112)) {
                  let err305 = { instancePath: instancePath + "/affinity/" + i12 + "/by", schemaPath: "#/properties/affinity/items/properties/by/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
                  vErrors === null ? vErrors = [err305] : vErrors.push(err305), errors++;
                }
              } else {
                let err306 = { instancePath: instancePath + "/affinity/" + i12 + "/by", schemaPath: "#/properties/affinity/items/properties/by/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err306] : vErrors.push(err306), errors++;
              }
            }
          } else {
            let err307 = { instancePath: instancePath + "/affinity/" + i12, schemaPath: "#/properties/affinity/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err307] : vErrors.push(err307), errors++;
          }
        }
      } else {
        let err308 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err308] : vErrors.push(err308), errors++;
      }
    }
    if (data.spread !== void 0) {
      let data113 = data.spread;
      if (typeof data113 == "string") {
        if (!pattern23.test(data113)) {
          let err309 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
          vErrors === null ? vErrors = [err309] : vErrors.push(err309), errors++;
        }
      } else {
        let err310 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err310] : vErrors.push(err310), errors++;
      }
    }
    if (data.restart !== void 0) {
      let data114 = data.restart;
      if (data114 && typeof data114 == "object" && !Array.isArray(data114)) {
        if (data114.policy === void 0) {
          let err311 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/required", keyword: "required", params: { missingProperty: "policy" }, message: "must have required property 'policy'" };
          vErrors === null ? vErrors = [err311] : vErrors.push(err311), errors++;
        }
        for (let key23 in data114)
          if (!(key23 === "policy" || key23 === "max")) {
            let err312 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key23 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err312] : vErrors.push(err312), errors++;
          }
        if (data114.policy !== void 0) {
          let data115 = data114.policy;
          if (typeof data115 != "string") {
            let err313 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err313] : vErrors.push(err313), errors++;
          }
          if (!(data115 === "no" || data115 === "on-failure" || data115 === "always" || data115 === "unless-stopped")) {
            let err314 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/enum", keyword: "enum", params: { allowedValues: schema31.properties.restart.properties.policy.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err314] : vErrors.push(err314), errors++;
          }
        }
        if (data114.max !== void 0) {
          let data116 = data114.max;
          if (!(typeof data116 == "number" && !(data116 % 1) && !isNaN(data116) && isFinite(data116))) {
            let err315 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err315] : vErrors.push(err315), errors++;
          }
          if (typeof data116 == "number" && isFinite(data116)) {
            if (data116 > 1e6 || isNaN(data116)) {
              let err316 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
              vErrors === null ? vErrors = [err316] : vErrors.push(err316), errors++;
            }
            if (data116 < 1 || isNaN(data116)) {
              let err317 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err317] : vErrors.push(err317), errors++;
            }
          }
        }
      } else {
        let err318 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err318] : vErrors.push(err318), errors++;
      }
    }
    if (data.stop !== void 0) {
      let data117 = data.stop;
      if (data117 && typeof data117 == "object" && !Array.isArray(data117)) {
        if (data117.timeout === void 0) {
          let err319 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
          vErrors === null ? vErrors = [err319] : vErrors.push(err319), errors++;
        }
        if (data117.preservestopped === void 0) {
          let err320 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "preservestopped" }, message: "must have required property 'preservestopped'" };
          vErrors === null ? vErrors = [err320] : vErrors.push(err320), errors++;
        }
        for (let key24 in data117)
          if (!(key24 === "timeout" || key24 === "preservestopped")) {
            let err321 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key24 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err321] : vErrors.push(err321), errors++;
          }
        if (data117.timeout !== void 0) {
          let data118 = data117.timeout;
          if (!(typeof data118 == "number" && !(data118 % 1) && !isNaN(data118) && isFinite(data118))) {
            let err322 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err322] : vErrors.push(err322), errors++;
          }
          if (typeof data118 == "number" && isFinite(data118)) {
            if (data118 > 1e9 || isNaN(data118)) {
              let err323 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e9 }, message: "must be <= 1000000000" };
              vErrors === null ? vErrors = [err323] : vErrors.push(err323), errors++;
            }
            if (data118 < -1e9 || isNaN(data118)) {
              let err324 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e9 }, message: "must be >= -1000000000" };
              vErrors === null ? vErrors = [err324] : vErrors.push(err324), errors++;
            }
          }
        }
        if (data117.preservestopped !== void 0) {
          let data119 = data117.preservestopped;
          if (typeof data119 != "string") {
            let err325 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err325] : vErrors.push(err325), errors++;
          }
          if (!(data119 === "on-failure" || data119 === "no" || data119 === "always")) {
            let err326 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/enum", keyword: "enum", params: { allowedValues: schema31.properties.stop.properties.preservestopped.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err326] : vErrors.push(err326), errors++;
          }
        }
      } else {
        let err327 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err327] : vErrors.push(err327), errors++;
      }
    }
    if (data.stop_signal !== void 0) {
      let data120 = data.stop_signal;
      if (typeof data120 == "string") {
        if (!pattern25.test(data120)) {
          let err328 = { instancePath: instancePath + "/stop_signal", schemaPath: "#/properties/stop_signal/pattern", keyword: "pattern", params: { pattern: "^SIG[A-Z0-9+]+$" }, message: 'must match pattern "^SIG[A-Z0-9+]+$"' };
          vErrors === null ? vErrors = [err328] : vErrors.push(err328), errors++;
        }
      } else {
        let err329 = { instancePath: instancePath + "/stop_signal", schemaPath: "#/properties/stop_signal/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err329] : vErrors.push(err329), errors++;
      }
    }
    if (data.log !== void 0) {
      let data121 = data.log;
      if (data121 && typeof data121 == "object" && !Array.isArray(data121)) {
        for (let key25 in data121)
          if (!(key25 === "driver" || key25 === "max_size" || key25 === "max_files" || key25 === "options")) {
            let err330 = { instancePath: instancePath + "/log", schemaPath: "#/properties/log/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key25 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err330] : vErrors.push(err330), errors++;
          }
        if (data121.driver !== void 0) {
          let data122 = data121.driver;
          if (typeof data122 == "string") {
            if (func2(data122) > 255) {
              let err331 = { instancePath: instancePath + "/log/driver", schemaPath: "#/properties/log/properties/driver/maxLength", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
              vErrors === null ? vErrors = [err331] : vErrors.push(err331), errors++;
            }
            if (!pattern26.test(data122)) {
              let err332 = { instancePath: instancePath + "/log/driver", schemaPath: "#/properties/log/properties/driver/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9][a-zA-Z0-9._/:-]*$" }, message: 'must match pattern "^[a-z0-9][a-zA-Z0-9._/:-]*$"' };
              vErrors === null ? vErrors = [err332] : vErrors.push(err332), errors++;
            }
          } else {
            let err333 = { instancePath: instancePath + "/log/driver", schemaPath: "#/properties/log/properties/driver/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err333] : vErrors.push(err333), errors++;
          }
        }
        if (data121.max_size !== void 0) {
          let data123 = data121.max_size;
          if (!(typeof data123 == "number" && !(data123 % 1) && !isNaN(data123) && isFinite(data123))) {
            let err334 = { instancePath: instancePath + "/log/max_size", schemaPath: "#/properties/log/properties/max_size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err334] : vErrors.push(err334), errors++;
          }
          if (typeof data123 == "number" && isFinite(data123)) {
            if (data123 > 1048576 || isNaN(data123)) {
              let err335 = { instancePath: instancePath + "/log/max_size", schemaPath: "#/properties/log/properties/max_size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
              vErrors === null ? vErrors = [err335] : vErrors.push(err335), errors++;
            }
            if (data123 < 1 || isNaN(data123)) {
              let err336 = { instancePath: instancePath + "/log/max_size", schemaPath: "#/properties/log/properties/max_size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err336] : vErrors.push(err336), errors++;
            }
          }
        }
        if (data121.max_files !== void 0) {
          let data124 = data121.max_files;
          if (!(typeof data124 == "number" && !(data124 % 1) && !isNaN(data124) && isFinite(data124))) {
            let err337 = { instancePath: instancePath + "/log/max_files", schemaPath: "#/properties/log/properties/max_files/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err337] : vErrors.push(err337), errors++;
          }
          if (typeof data124 == "number" && isFinite(data124)) {
            if (data124 > 1e3 || isNaN(data124)) {
              let err338 = { instancePath: instancePath + "/log/max_files", schemaPath: "#/properties/log/properties/max_files/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
              vErrors === null ? vErrors = [err338] : vErrors.push(err338), errors++;
            }
            if (data124 < 1 || isNaN(data124)) {
              let err339 = { instancePath: instancePath + "/log/max_files", schemaPath: "#/properties/log/properties/max_files/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err339] : vErrors.push(err339), errors++;
            }
          }
        }
        if (data121.options !== void 0) {
          let data125 = data121.options;
          if (data125 && typeof data125 == "object" && !Array.isArray(data125)) {
            var props3 = {};
            for (let key26 in data125)
              if (pattern7.test(key26)) {
                if (typeof data125[key26] != "string") {
                  let err340 = { instancePath: instancePath + "/log/options/" + key26.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/log/properties/options/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err340] : vErrors.push(err340), errors++;
                }
                props3[key26] = !0;
              }
          } else {
            let err341 = { instancePath: instancePath + "/log/options", schemaPath: "#/properties/log/properties/options/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err341] : vErrors.push(err341), errors++;
          }
        }
      } else {
        let err342 = { instancePath: instancePath + "/log", schemaPath: "#/properties/log/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err342] : vErrors.push(err342), errors++;
      }
    }
    if (data.healthchecks !== void 0) {
      let data127 = data.healthchecks;
      if (Array.isArray(data127)) {
        if (data127.length > 20) {
          let err343 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err343] : vErrors.push(err343), errors++;
        }
        let len13 = data127.length;
        for (let i13 = 0; i13 < len13; i13++) {
          let data128 = data127[i13];
          if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
            if (data128.type === void 0) {
              let err344 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
              vErrors === null ? vErrors = [err344] : vErrors.push(err344), errors++;
            }
            let tag0 = data128.type;
            if (typeof tag0 == "string")
              if (tag0 === "http") {
                if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                  if (data128.type === void 0) {
                    let err345 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err345] : vErrors.push(err345), errors++;
                  }
                  if (data128.network === void 0) {
                    let err346 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err346] : vErrors.push(err346), errors++;
                  }
                  if (data128.port === void 0) {
                    let err347 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err347] : vErrors.push(err347), errors++;
                  }
                  if (data128.path === void 0) {
                    let err348 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err348] : vErrors.push(err348), errors++;
                  }
                  if (data128.poll === void 0) {
                    let err349 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err349] : vErrors.push(err349), errors++;
                  }
                  if (data128.timeout === void 0) {
                    let err350 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err350] : vErrors.push(err350), errors++;
                  }
                  if (data128.retries === void 0) {
                    let err351 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err351] : vErrors.push(err351), errors++;
                  }
                  for (let key27 in data128)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key27)) {
                      let err352 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key27 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err352] : vErrors.push(err352), errors++;
                    }
                  if (data128.type !== void 0) {
                    let data129 = data128.type;
                    if (typeof data129 != "string") {
                      let err353 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err353] : vErrors.push(err353), errors++;
                    }
                    if (!(data129 === "http" || data129 === "https")) {
                      let err354 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err354] : vErrors.push(err354), errors++;
                    }
                  }
                  if (data128.network !== void 0) {
                    let data130 = data128.network;
                    if (typeof data130 == "string") {
                      if (func2(data130) > 64) {
                        let err355 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err355] : vErrors.push(err355), errors++;
                      }
                      if (func2(data130) < 1) {
                        let err356 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err356] : vErrors.push(err356), errors++;
                      }
                      if (!pattern28.test(data130)) {
                        let err357 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err357] : vErrors.push(err357), errors++;
                      }
                    } else {
                      let err358 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err358] : vErrors.push(err358), errors++;
                    }
                  }
                  if (data128.port !== void 0) {
                    let data131 = data128.port;
                    if (!(typeof data131 == "number" && !(data131 % 1) && !isNaN(data131) && isFinite(data131))) {
                      let err359 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err359] : vErrors.push(err359), errors++;
                    }
                    if (typeof data131 == "number" && isFinite(data131)) {
                      if (data131 > 65535 || isNaN(data131)) {
                        let err360 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err360] : vErrors.push(err360), errors++;
                      }
                      if (data131 < 1 || isNaN(data131)) {
                        let err361 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err361] : vErrors.push(err361), errors++;
                      }
                    }
                  }
                  if (data128.path !== void 0) {
                    let data132 = data128.path;
                    if (typeof data132 == "string") {
                      if (!pattern10.test(data132)) {
                        let err362 = { instancePath: instancePath + "/healthchecks/" + i13 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err362] : vErrors.push(err362), errors++;
                      }
                    } else {
                      let err363 = { instancePath: instancePath + "/healthchecks/" + i13 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err363] : vErrors.push(err363), errors++;
                    }
                  }
                  if (data128.poll !== void 0) {
                    let data133 = data128.poll;
                    if (typeof data133 == "number" && isFinite(data133)) {
                      if (data133 > 86400 || isNaN(data133)) {
                        let err364 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err364] : vErrors.push(err364), errors++;
                      }
                      if (data133 < 0.1 || isNaN(data133)) {
                        let err365 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err365] : vErrors.push(err365), errors++;
                      }
                    } else {
                      let err366 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err366] : vErrors.push(err366), errors++;
                    }
                  }
                  if (data128.timeout !== void 0) {
                    let data134 = data128.timeout;
                    if (typeof data134 == "number" && isFinite(data134)) {
                      if (data134 > 3600 || isNaN(data134)) {
                        let err367 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err367] : vErrors.push(err367), errors++;
                      }
                      if (data134 < 0.01 || isNaN(data134)) {
                        let err368 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err368] : vErrors.push(err368), errors++;
                      }
                    } else {
                      let err369 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err369] : vErrors.push(err369), errors++;
                    }
                  }
                  if (data128.retries !== void 0) {
                    let data135 = data128.retries;
                    if (!(typeof data135 == "number" && !(data135 % 1) && !isNaN(data135) && isFinite(data135))) {
                      let err370 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err370] : vErrors.push(err370), errors++;
                    }
                    if (typeof data135 == "number" && isFinite(data135)) {
                      if (data135 > 1e3 || isNaN(data135)) {
                        let err371 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err371] : vErrors.push(err371), errors++;
                      }
                      if (data135 < 1 || isNaN(data135)) {
                        let err372 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err372] : vErrors.push(err372), errors++;
                      }
                    }
                  }
                  if (data128.start_period !== void 0) {
                    let data136 = data128.start_period;
                    if (typeof data136 == "number" && isFinite(data136)) {
                      if (data136 > 86400 || isNaN(data136)) {
                        let err373 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err373] : vErrors.push(err373), errors++;
                      }
                      if (data136 < 0 || isNaN(data136)) {
                        let err374 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err374] : vErrors.push(err374), errors++;
                      }
                    } else {
                      let err375 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err375] : vErrors.push(err375), errors++;
                    }
                  }
                  if (data128.start_interval !== void 0) {
                    let data137 = data128.start_interval;
                    if (typeof data137 == "number" && isFinite(data137)) {
                      if (data137 > 86400 || isNaN(data137)) {
                        let err376 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err376] : vErrors.push(err376), errors++;
                      }
                      if (data137 < 0.1 || isNaN(data137)) {
                        let err377 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err377] : vErrors.push(err377), errors++;
                      }
                    } else {
                      let err378 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err378] : vErrors.push(err378), errors++;
                    }
                  }
                  if (data128.redirects !== void 0) {
                    let data138 = data128.redirects;
                    if (!(typeof data138 == "number" && !(data138 % 1) && !isNaN(data138) && isFinite(data138))) {
                      let err379 = { instancePath: instancePath + "/healthchecks/" + i13 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err379] : vErrors.push(err379), errors++;
                    }
                    if (typeof data138 == "number" && isFinite(data138)) {
                      if (data138 > 10 || isNaN(data138)) {
                        let err380 = { instancePath: instancePath + "/healthchecks/" + i13 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err380] : vErrors.push(err380), errors++;
                      }
                      if (data138 < 0 || isNaN(data138)) {
                        let err381 = { instancePath: instancePath + "/healthchecks/" + i13 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err381] : vErrors.push(err381), errors++;
                      }
                    }
                  }
                  if (data128.host !== void 0) {
                    let data139 = data128.host;
                    if (typeof data139 == "string") {
                      if (!pattern30.test(data139)) {
                        let err382 = { instancePath: instancePath + "/healthchecks/" + i13 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err382] : vErrors.push(err382), errors++;
                      }
                    } else {
                      let err383 = { instancePath: instancePath + "/healthchecks/" + i13 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err383] : vErrors.push(err383), errors++;
                    }
                  }
                  if (data128.verify !== void 0 && typeof data128.verify != "boolean") {
                    let err384 = { instancePath: instancePath + "/healthchecks/" + i13 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err384] : vErrors.push(err384), errors++;
                  }
                } else {
                  let err385 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err385] : vErrors.push(err385), errors++;
                }
                var props4 = !0;
              } else if (tag0 === "https") {
                if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                  if (data128.type === void 0) {
                    let err386 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err386] : vErrors.push(err386), errors++;
                  }
                  if (data128.network === void 0) {
                    let err387 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err387] : vErrors.push(err387), errors++;
                  }
                  if (data128.port === void 0) {
                    let err388 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err388] : vErrors.push(err388), errors++;
                  }
                  if (data128.path === void 0) {
                    let err389 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err389] : vErrors.push(err389), errors++;
                  }
                  if (data128.poll === void 0) {
                    let err390 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err390] : vErrors.push(err390), errors++;
                  }
                  if (data128.timeout === void 0) {
                    let err391 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err391] : vErrors.push(err391), errors++;
                  }
                  if (data128.retries === void 0) {
                    let err392 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err392] : vErrors.push(err392), errors++;
                  }
                  for (let key28 in data128)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key28)) {
                      let err393 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key28 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err393] : vErrors.push(err393), errors++;
                    }
                  if (data128.type !== void 0) {
                    let data141 = data128.type;
                    if (typeof data141 != "string") {
                      let err394 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err394] : vErrors.push(err394), errors++;
                    }
                    if (!(data141 === "http" || data141 === "https")) {
                      let err395 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err395] : vErrors.push(err395), errors++;
                    }
                  }
                  if (data128.network !== void 0) {
                    let data142 = data128.network;
                    if (typeof data142 == "string") {
                      if (func2(data142) > 64) {
                        let err396 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err396] : vErrors.push(err396), errors++;
                      }
                      if (func2(data142) < 1) {
                        let err397 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err397] : vErrors.push(err397), errors++;
                      }
                      if (!pattern28.test(data142)) {
                        let err398 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err398] : vErrors.push(err398), errors++;
                      }
                    } else {
                      let err399 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err399] : vErrors.push(err399), errors++;
                    }
                  }
                  if (data128.port !== void 0) {
                    let data143 = data128.port;
                    if (!(typeof data143 == "number" && !(data143 % 1) && !isNaN(data143) && isFinite(data143))) {
                      let err400 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err400] : vErrors.push(err400), errors++;
                    }
                    if (typeof data143 == "number" && isFinite(data143)) {
                      if (data143 > 65535 || isNaN(data143)) {
                        let err401 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err401] : vErrors.push(err401), errors++;
                      }
                      if (data143 < 1 || isNaN(data143)) {
                        let err402 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err402] : vErrors.push(err402), errors++;
                      }
                    }
                  }
                  if (data128.path !== void 0) {
                    let data144 = data128.path;
                    if (typeof data144 == "string") {
                      if (!pattern10.test(data144)) {
                        let err403 = { instancePath: instancePath + "/healthchecks/" + i13 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err403] : vErrors.push(err403), errors++;
                      }
                    } else {
                      let err404 = { instancePath: instancePath + "/healthchecks/" + i13 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err404] : vErrors.push(err404), errors++;
                    }
                  }
                  if (data128.poll !== void 0) {
                    let data145 = data128.poll;
                    if (typeof data145 == "number" && isFinite(data145)) {
                      if (data145 > 86400 || isNaN(data145)) {
                        let err405 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err405] : vErrors.push(err405), errors++;
                      }
                      if (data145 < 0.1 || isNaN(data145)) {
                        let err406 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err406] : vErrors.push(err406), errors++;
                      }
                    } else {
                      let err407 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err407] : vErrors.push(err407), errors++;
                    }
                  }
                  if (data128.timeout !== void 0) {
                    let data146 = data128.timeout;
                    if (typeof data146 == "number" && isFinite(data146)) {
                      if (data146 > 3600 || isNaN(data146)) {
                        let err408 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err408] : vErrors.push(err408), errors++;
                      }
                      if (data146 < 0.01 || isNaN(data146)) {
                        let err409 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err409] : vErrors.push(err409), errors++;
                      }
                    } else {
                      let err410 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err410] : vErrors.push(err410), errors++;
                    }
                  }
                  if (data128.retries !== void 0) {
                    let data147 = data128.retries;
                    if (!(typeof data147 == "number" && !(data147 % 1) && !isNaN(data147) && isFinite(data147))) {
                      let err411 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err411] : vErrors.push(err411), errors++;
                    }
                    if (typeof data147 == "number" && isFinite(data147)) {
                      if (data147 > 1e3 || isNaN(data147)) {
                        let err412 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err412] : vErrors.push(err412), errors++;
                      }
                      if (data147 < 1 || isNaN(data147)) {
                        let err413 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err413] : vErrors.push(err413), errors++;
                      }
                    }
                  }
                  if (data128.start_period !== void 0) {
                    let data148 = data128.start_period;
                    if (typeof data148 == "number" && isFinite(data148)) {
                      if (data148 > 86400 || isNaN(data148)) {
                        let err414 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err414] : vErrors.push(err414), errors++;
                      }
                      if (data148 < 0 || isNaN(data148)) {
                        let err415 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err415] : vErrors.push(err415), errors++;
                      }
                    } else {
                      let err416 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err416] : vErrors.push(err416), errors++;
                    }
                  }
                  if (data128.start_interval !== void 0) {
                    let data149 = data128.start_interval;
                    if (typeof data149 == "number" && isFinite(data149)) {
                      if (data149 > 86400 || isNaN(data149)) {
                        let err417 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err417] : vErrors.push(err417), errors++;
                      }
                      if (data149 < 0.1 || isNaN(data149)) {
                        let err418 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err418] : vErrors.push(err418), errors++;
                      }
                    } else {
                      let err419 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err419] : vErrors.push(err419), errors++;
                    }
                  }
                  if (data128.redirects !== void 0) {
                    let data150 = data128.redirects;
                    if (!(typeof data150 == "number" && !(data150 % 1) && !isNaN(data150) && isFinite(data150))) {
                      let err420 = { instancePath: instancePath + "/healthchecks/" + i13 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err420] : vErrors.push(err420), errors++;
                    }
                    if (typeof data150 == "number" && isFinite(data150)) {
                      if (data150 > 10 || isNaN(data150)) {
                        let err421 = { instancePath: instancePath + "/healthchecks/" + i13 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err421] : vErrors.push(err421), errors++;
                      }
                      if (data150 < 0 || isNaN(data150)) {
                        let err422 = { instancePath: instancePath + "/healthchecks/" + i13 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err422] : vErrors.push(err422), errors++;
                      }
                    }
                  }
                  if (data128.host !== void 0) {
                    let data151 = data128.host;
                    if (typeof data151 == "string") {
                      if (!pattern30.test(data151)) {
                        let err423 = { instancePath: instancePath + "/healthchecks/" + i13 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err423] : vErrors.push(err423), errors++;
                      }
                    } else {
                      let err424 = { instancePath: instancePath + "/healthchecks/" + i13 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err424] : vErrors.push(err424), errors++;
                    }
                  }
                  if (data128.verify !== void 0 && typeof data128.verify != "boolean") {
                    let err425 = { instancePath: instancePath + "/healthchecks/" + i13 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err425] : vErrors.push(err425), errors++;
                  }
                } else {
                  let err426 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err426] : vErrors.push(err426), errors++;
                }
                props4 !== !0 && (props4 = !0);
              } else if (tag0 === "tcp") {
                if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                  if (data128.type === void 0) {
                    let err427 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err427] : vErrors.push(err427), errors++;
                  }
                  if (data128.network === void 0) {
                    let err428 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err428] : vErrors.push(err428), errors++;
                  }
                  if (data128.port === void 0) {
                    let err429 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err429] : vErrors.push(err429), errors++;
                  }
                  if (data128.poll === void 0) {
                    let err430 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err430] : vErrors.push(err430), errors++;
                  }
                  if (data128.timeout === void 0) {
                    let err431 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err431] : vErrors.push(err431), errors++;
                  }
                  if (data128.retries === void 0) {
                    let err432 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err432] : vErrors.push(err432), errors++;
                  }
                  for (let key29 in data128)
                    if (!(key29 === "type" || key29 === "network" || key29 === "port" || key29 === "poll" || key29 === "timeout" || key29 === "retries" || key29 === "start_period" || key29 === "start_interval")) {
                      let err433 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key29 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err433] : vErrors.push(err433), errors++;
                    }
                  if (data128.type !== void 0) {
                    let data153 = data128.type;
                    if (typeof data153 != "string") {
                      let err434 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err434] : vErrors.push(err434), errors++;
                    }
                    if (data153 !== "tcp") {
                      let err435 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err435] : vErrors.push(err435), errors++;
                    }
                  }
                  if (data128.network !== void 0) {
                    let data154 = data128.network;
                    if (typeof data154 == "string") {
                      if (func2(data154) > 64) {
                        let err436 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err436] : vErrors.push(err436), errors++;
                      }
                      if (func2(data154) < 1) {
                        let err437 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err437] : vErrors.push(err437), errors++;
                      }
                      if (!pattern28.test(data154)) {
                        let err438 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err438] : vErrors.push(err438), errors++;
                      }
                    } else {
                      let err439 = { instancePath: instancePath + "/healthchecks/" + i13 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err439] : vErrors.push(err439), errors++;
                    }
                  }
                  if (data128.port !== void 0) {
                    let data155 = data128.port;
                    if (!(typeof data155 == "number" && !(data155 % 1) && !isNaN(data155) && isFinite(data155))) {
                      let err440 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err440] : vErrors.push(err440), errors++;
                    }
                    if (typeof data155 == "number" && isFinite(data155)) {
                      if (data155 > 65535 || isNaN(data155)) {
                        let err441 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err441] : vErrors.push(err441), errors++;
                      }
                      if (data155 < 1 || isNaN(data155)) {
                        let err442 = { instancePath: instancePath + "/healthchecks/" + i13 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err442] : vErrors.push(err442), errors++;
                      }
                    }
                  }
                  if (data128.poll !== void 0) {
                    let data156 = data128.poll;
                    if (typeof data156 == "number" && isFinite(data156)) {
                      if (data156 > 86400 || isNaN(data156)) {
                        let err443 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err443] : vErrors.push(err443), errors++;
                      }
                      if (data156 < 0.1 || isNaN(data156)) {
                        let err444 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err444] : vErrors.push(err444), errors++;
                      }
                    } else {
                      let err445 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err445] : vErrors.push(err445), errors++;
                    }
                  }
                  if (data128.timeout !== void 0) {
                    let data157 = data128.timeout;
                    if (typeof data157 == "number" && isFinite(data157)) {
                      if (data157 > 3600 || isNaN(data157)) {
                        let err446 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err446] : vErrors.push(err446), errors++;
                      }
                      if (data157 < 0.01 || isNaN(data157)) {
                        let err447 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err447] : vErrors.push(err447), errors++;
                      }
                    } else {
                      let err448 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err448] : vErrors.push(err448), errors++;
                    }
                  }
                  if (data128.retries !== void 0) {
                    let data158 = data128.retries;
                    if (!(typeof data158 == "number" && !(data158 % 1) && !isNaN(data158) && isFinite(data158))) {
                      let err449 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err449] : vErrors.push(err449), errors++;
                    }
                    if (typeof data158 == "number" && isFinite(data158)) {
                      if (data158 > 1e3 || isNaN(data158)) {
                        let err450 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err450] : vErrors.push(err450), errors++;
                      }
                      if (data158 < 1 || isNaN(data158)) {
                        let err451 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err451] : vErrors.push(err451), errors++;
                      }
                    }
                  }
                  if (data128.start_period !== void 0) {
                    let data159 = data128.start_period;
                    if (typeof data159 == "number" && isFinite(data159)) {
                      if (data159 > 86400 || isNaN(data159)) {
                        let err452 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err452] : vErrors.push(err452), errors++;
                      }
                      if (data159 < 0 || isNaN(data159)) {
                        let err453 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err453] : vErrors.push(err453), errors++;
                      }
                    } else {
                      let err454 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err454] : vErrors.push(err454), errors++;
                    }
                  }
                  if (data128.start_interval !== void 0) {
                    let data160 = data128.start_interval;
                    if (typeof data160 == "number" && isFinite(data160)) {
                      if (data160 > 86400 || isNaN(data160)) {
                        let err455 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err455] : vErrors.push(err455), errors++;
                      }
                      if (data160 < 0.1 || isNaN(data160)) {
                        let err456 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err456] : vErrors.push(err456), errors++;
                      }
                    } else {
                      let err457 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err457] : vErrors.push(err457), errors++;
                    }
                  }
                } else {
                  let err458 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err458] : vErrors.push(err458), errors++;
                }
                props4 !== !0 && (props4 = !0);
              } else if (tag0 === "command") {
                if (data128 && typeof data128 == "object" && !Array.isArray(data128)) {
                  if (data128.type === void 0) {
                    let err459 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err459] : vErrors.push(err459), errors++;
                  }
                  if (data128.command === void 0) {
                    let err460 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "command" }, message: "must have required property 'command'" };
                    vErrors === null ? vErrors = [err460] : vErrors.push(err460), errors++;
                  }
                  if (data128.poll === void 0) {
                    let err461 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err461] : vErrors.push(err461), errors++;
                  }
                  if (data128.timeout === void 0) {
                    let err462 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err462] : vErrors.push(err462), errors++;
                  }
                  if (data128.retries === void 0) {
                    let err463 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err463] : vErrors.push(err463), errors++;
                  }
                  for (let key30 in data128)
                    if (!(key30 === "type" || key30 === "command" || key30 === "user" || key30 === "poll" || key30 === "timeout" || key30 === "retries" || key30 === "start_period" || key30 === "start_interval")) {
                      let err464 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/2/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key30 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err464] : vErrors.push(err464), errors++;
                    }
                  if (data128.type !== void 0) {
                    let data161 = data128.type;
                    if (typeof data161 != "string") {
                      let err465 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err465] : vErrors.push(err465), errors++;
                    }
                    if (data161 !== "command") {
                      let err466 = { instancePath: instancePath + "/healthchecks/" + i13 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[2].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err466] : vErrors.push(err466), errors++;
                    }
                  }
                  if (data128.command !== void 0) {
                    let data162 = data128.command;
                    if (Array.isArray(data162)) {
                      if (data162.length < 1) {
                        let err467 = { instancePath: instancePath + "/healthchecks/" + i13 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                        vErrors === null ? vErrors = [err467] : vErrors.push(err467), errors++;
                      }
                      let len14 = data162.length;
                      for (let i14 = 0; i14 < len14; i14++)
                        if (typeof data162[i14] != "string") {
                          let err468 = { instancePath: instancePath + "/healthchecks/" + i13 + "/command/" + i14, schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                          vErrors === null ? vErrors = [err468] : vErrors.push(err468), errors++;
                        }
                    } else {
                      let err469 = { instancePath: instancePath + "/healthchecks/" + i13 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      vErrors === null ? vErrors = [err469] : vErrors.push(err469), errors++;
                    }
                  }
                  if (data128.user !== void 0) {
                    let data164 = data128.user;
                    if (typeof data164 == "string") {
                      if (func2(data164) < 1) {
                        let err470 = { instancePath: instancePath + "/healthchecks/" + i13 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err470] : vErrors.push(err470), errors++;
                      }
                    } else {
                      let err471 = { instancePath: instancePath + "/healthchecks/" + i13 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err471] : vErrors.push(err471), errors++;
                    }
                  }
                  if (data128.poll !== void 0) {
                    let data165 = data128.poll;
                    if (typeof data165 == "number" && isFinite(data165)) {
                      if (data165 > 86400 || isNaN(data165)) {
                        let err472 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err472] : vErrors.push(err472), errors++;
                      }
                      if (data165 < 0.1 || isNaN(data165)) {
                        let err473 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err473] : vErrors.push(err473), errors++;
                      }
                    } else {
                      let err474 = { instancePath: instancePath + "/healthchecks/" + i13 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err474] : vErrors.push(err474), errors++;
                    }
                  }
                  if (data128.timeout !== void 0) {
                    let data166 = data128.timeout;
                    if (typeof data166 == "number" && isFinite(data166)) {
                      if (data166 > 3600 || isNaN(data166)) {
                        let err475 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err475] : vErrors.push(err475), errors++;
                      }
                      if (data166 < 0.01 || isNaN(data166)) {
                        let err476 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err476] : vErrors.push(err476), errors++;
                      }
                    } else {
                      let err477 = { instancePath: instancePath + "/healthchecks/" + i13 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err477] : vErrors.push(err477), errors++;
                    }
                  }
                  if (data128.retries !== void 0) {
                    let data167 = data128.retries;
                    if (!(typeof data167 == "number" && !(data167 % 1) && !isNaN(data167) && isFinite(data167))) {
                      let err478 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err478] : vErrors.push(err478), errors++;
                    }
                    if (typeof data167 == "number" && isFinite(data167)) {
                      if (data167 > 1e3 || isNaN(data167)) {
                        let err479 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err479] : vErrors.push(err479), errors++;
                      }
                      if (data167 < 1 || isNaN(data167)) {
                        let err480 = { instancePath: instancePath + "/healthchecks/" + i13 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err480] : vErrors.push(err480), errors++;
                      }
                    }
                  }
                  if (data128.start_period !== void 0) {
                    let data168 = data128.start_period;
                    if (typeof data168 == "number" && isFinite(data168)) {
                      if (data168 > 86400 || isNaN(data168)) {
                        let err481 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err481] : vErrors.push(err481), errors++;
                      }
                      if (data168 < 0 || isNaN(data168)) {
                        let err482 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err482] : vErrors.push(err482), errors++;
                      }
                    } else {
                      let err483 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err483] : vErrors.push(err483), errors++;
                    }
                  }
                  if (data128.start_interval !== void 0) {
                    let data169 = data128.start_interval;
                    if (typeof data169 == "number" && isFinite(data169)) {
                      if (data169 > 86400 || isNaN(data169)) {
                        let err484 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err484] : vErrors.push(err484), errors++;
                      }
                      if (data169 < 0.1 || isNaN(data169)) {
                        let err485 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err485] : vErrors.push(err485), errors++;
                      }
                    } else {
                      let err486 = { instancePath: instancePath + "/healthchecks/" + i13 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err486] : vErrors.push(err486), errors++;
                    }
                  }
                } else {
                  let err487 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/oneOf/2/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err487] : vErrors.push(err487), errors++;
                }
                props4 !== !0 && (props4 = !0);
              } else {
                let err488 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "mapping", tag: "type", tagValue: tag0 }, message: 'value of tag "type" must be in oneOf' };
                vErrors === null ? vErrors = [err488] : vErrors.push(err488), errors++;
              }
            else {
              let err489 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "tag", tag: "type", tagValue: tag0 }, message: 'tag "type" must be string' };
              vErrors === null ? vErrors = [err489] : vErrors.push(err489), errors++;
            }
          } else {
            let err490 = { instancePath: instancePath + "/healthchecks/" + i13, schemaPath: "#/properties/healthchecks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err490] : vErrors.push(err490), errors++;
          }
        }
      } else {
        let err491 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err491] : vErrors.push(err491), errors++;
      }
    }
    if (data.containerpilot !== void 0) {
      let data170 = data.containerpilot;
      if (data170 && typeof data170 == "object" && !Array.isArray(data170)) {
        if (data170.port === void 0) {
          let err492 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
          vErrors === null ? vErrors = [err492] : vErrors.push(err492), errors++;
        }
        for (let key31 in data170)
          if (!(key31 === "network" || key31 === "port")) {
            let err493 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key31 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err493] : vErrors.push(err493), errors++;
          }
        if (data170.network !== void 0) {
          let data171 = data170.network;
          if (typeof data171 == "string") {
            if (func2(data171) > 64) {
              let err494 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              vErrors === null ? vErrors = [err494] : vErrors.push(err494), errors++;
            }
            if (func2(data171) < 1) {
              let err495 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err495] : vErrors.push(err495), errors++;
            }
            if (!pattern28.test(data171)) {
              let err496 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
              vErrors === null ? vErrors = [err496] : vErrors.push(err496), errors++;
            }
          } else {
            let err497 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err497] : vErrors.push(err497), errors++;
          }
        }
        if (data170.port !== void 0) {
          let data172 = data170.port;
          if (!(typeof data172 == "number" && !(data172 % 1) && !isNaN(data172) && isFinite(data172))) {
            let err498 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err498] : vErrors.push(err498), errors++;
          }
          if (typeof data172 == "number" && isFinite(data172)) {
            if (data172 > 65535 || isNaN(data172)) {
              let err499 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
              vErrors === null ? vErrors = [err499] : vErrors.push(err499), errors++;
            }
            if (data172 < 1 || isNaN(data172)) {
              let err500 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err500] : vErrors.push(err500), errors++;
            }
          }
        }
      } else {
        let err501 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err501] : vErrors.push(err501), errors++;
      }
    }
    if (data.autoscale !== void 0) {
      let data173 = data.autoscale;
      if (data173 && typeof data173 == "object" && !Array.isArray(data173)) {
        if (data173.enable === void 0) {
          let err502 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "enable" }, message: "must have required property 'enable'" };
          vErrors === null ? vErrors = [err502] : vErrors.push(err502), errors++;
        }
        if (data173.min === void 0) {
          let err503 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "min" }, message: "must have required property 'min'" };
          vErrors === null ? vErrors = [err503] : vErrors.push(err503), errors++;
        }
        if (data173.retrigger_delay === void 0) {
          let err504 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "retrigger_delay" }, message: "must have required property 'retrigger_delay'" };
          vErrors === null ? vErrors = [err504] : vErrors.push(err504), errors++;
        }
        if (data173.notify_email === void 0) {
          let err505 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "notify_email" }, message: "must have required property 'notify_email'" };
          vErrors === null ? vErrors = [err505] : vErrors.push(err505), errors++;
        }
        for (let key32 in data173)
          if (!(key32 === "enable" || key32 === "min" || key32 === "max" || key32 === "retrigger_delay" || key32 === "notify_email")) {
            let err506 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key32 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err506] : vErrors.push(err506), errors++;
          }
        if (data173.enable !== void 0) {
          let data174 = data173.enable;
          if (!(data174 === "notify" || data174 === !0 || data174 === !1)) {
            let err507 = { instancePath: instancePath + "/autoscale/enable", schemaPath: "#/properties/autoscale/properties/enable/enum", keyword: "enum", params: { allowedValues: schema31.properties.autoscale.properties.enable.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err507] : vErrors.push(err507), errors++;
          }
        }
        if (data173.min !== void 0) {
          let data175 = data173.min;
          if (!(typeof data175 == "number" && !(data175 % 1) && !isNaN(data175) && isFinite(data175))) {
            let err508 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err508] : vErrors.push(err508), errors++;
          }
          if (typeof data175 == "number" && isFinite(data175)) {
            if (data175 > 1e5 || isNaN(data175)) {
              let err509 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err509] : vErrors.push(err509), errors++;
            }
            if (data175 < 0 || isNaN(data175)) {
              let err510 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err510] : vErrors.push(err510), errors++;
            }
          }
        }
        if (data173.max !== void 0) {
          let data176 = data173.max;
          if (!(typeof data176 == "number" && !(data176 % 1) && !isNaN(data176) && isFinite(data176))) {
            let err511 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err511] : vErrors.push(err511), errors++;
          }
          if (typeof data176 == "number" && isFinite(data176)) {
            if (data176 > 1e5 || isNaN(data176)) {
              let err512 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err512] : vErrors.push(err512), errors++;
            }
            if (data176 < 1 || isNaN(data176)) {
              let err513 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err513] : vErrors.push(err513), errors++;
            }
          }
        }
        if (data173.retrigger_delay !== void 0) {
          let data177 = data173.retrigger_delay;
          if (typeof data177 == "number" && isFinite(data177)) {
            if (data177 > 86400 || isNaN(data177)) {
              let err514 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
              vErrors === null ? vErrors = [err514] : vErrors.push(err514), errors++;
            }
            if (data177 < 0 || isNaN(data177)) {
              let err515 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err515] : vErrors.push(err515), errors++;
            }
          } else {
            let err516 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err516] : vErrors.push(err516), errors++;
          }
        }
        if (data173.notify_email !== void 0) {
          let data178 = data173.notify_email;
          if (Array.isArray(data178)) {
            if (data178.length > 20) {
              let err517 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              vErrors === null ? vErrors = [err517] : vErrors.push(err517), errors++;
            }
            let len15 = data178.length;
            for (let i15 = 0; i15 < len15; i15++) {
              let data179 = data178[i15];
              if (typeof data179 == "string") {
                if (func2(data179) > 254) {
                  let err518 = { instancePath: instancePath + "/autoscale/notify_email/" + i15, schemaPath: "#/properties/autoscale/properties/notify_email/items/maxLength", keyword: "maxLength", params: { limit: 254 }, message: "must NOT have more than 254 characters" };
                  vErrors === null ? vErrors = [err518] : vErrors.push(err518), errors++;
                }
                if (!pattern36.test(data179)) {
                  let err519 = { instancePath: instancePath + "/autoscale/notify_email/" + i15, schemaPath: "#/properties/autoscale/properties/notify_email/items/pattern", keyword: "pattern", params: { pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$" }, message: 'must match pattern "^[^\\s@<>,;]+@[^\\s@<>,;]+$"' };
                  vErrors === null ? vErrors = [err519] : vErrors.push(err519), errors++;
                }
              } else {
                let err520 = { instancePath: instancePath + "/autoscale/notify_email/" + i15, schemaPath: "#/properties/autoscale/properties/notify_email/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err520] : vErrors.push(err520), errors++;
              }
            }
          } else {
            let err521 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err521] : vErrors.push(err521), errors++;
          }
        }
      } else {
        let err522 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err522] : vErrors.push(err522), errors++;
      }
    }
    if (data.triggers !== void 0) {
      let data180 = data.triggers;
      if (Array.isArray(data180)) {
        if (data180.length > 50) {
          let err523 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err523] : vErrors.push(err523), errors++;
        }
        let len16 = data180.length;
        for (let i16 = 0; i16 < len16; i16++) {
          let data181 = data180[i16];
          if (!(data181 && typeof data181 == "object" && !Array.isArray(data181))) {
            let err524 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err524] : vErrors.push(err524), errors++;
          }
          let _errs402 = errors, valid72 = !0, _errs403 = errors, _errs404 = errors, valid73 = !1, _errs405 = errors;
          if (data181 && typeof data181 == "object" && !Array.isArray(data181)) {
            let missing0;
            if (data181.url === void 0 && (missing0 = "url")) {
              let err525 = {};
              vErrors === null ? vErrors = [err525] : vErrors.push(err525), errors++;
            }
          }
          var _valid1 = _errs405 === errors;
          valid73 = valid73 || _valid1;
          let _errs406 = errors;
          if (data181 && typeof data181 == "object" && !Array.isArray(data181)) {
            let missing1;
            if (data181.secret === void 0 && (missing1 = "secret")) {
              let err526 = {};
              vErrors === null ? vErrors = [err526] : vErrors.push(err526), errors++;
            }
          }
          var _valid1 = _errs406 === errors;
          if (valid73 = valid73 || _valid1, valid73)
            errors = _errs404, vErrors !== null && (_errs404 ? vErrors.length = _errs404 : vErrors = null);
          else {
            let err527 = {};
            vErrors === null ? vErrors = [err527] : vErrors.push(err527), errors++;
          }
          var _valid0 = _errs403 === errors;
          errors = _errs402, vErrors !== null && (_errs402 ? vErrors.length = _errs402 : vErrors = null);
          let ifClause0;
          if (_valid0) {
            let _errs407 = errors;
            if (data181 && typeof data181 == "object" && !Array.isArray(data181)) {
              if (data181.name === void 0) {
                let err528 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err528] : vErrors.push(err528), errors++;
              }
              if (data181.url === void 0) {
                let err529 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
                vErrors === null ? vErrors = [err529] : vErrors.push(err529), errors++;
              }
              if (data181.action === void 0) {
                let err530 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err530] : vErrors.push(err530), errors++;
              }
              for (let key33 in data181)
                if (!(key33 === "name" || key33 === "url" || key33 === "secret" || key33 === "action" || key33 === "scale" || key33 === "instances")) {
                  let err531 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/then/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key33 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err531] : vErrors.push(err531), errors++;
                }
              if (data181.name !== void 0) {
                let data182 = data181.name;
                if (typeof data182 == "string") {
                  if (!pattern28.test(data182)) {
                    let err532 = { instancePath: instancePath + "/triggers/" + i16 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err532] : vErrors.push(err532), errors++;
                  }
                } else {
                  let err533 = { instancePath: instancePath + "/triggers/" + i16 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err533] : vErrors.push(err533), errors++;
                }
              }
              if (data181.url !== void 0 && data181.url !== !0) {
                let err534 = { instancePath: instancePath + "/triggers/" + i16 + "/url", schemaPath: "#/properties/triggers/items/then/properties/url/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err534] : vErrors.push(err534), errors++;
              }
              if (data181.secret !== void 0) {
                let data184 = data181.secret;
                if (typeof data184 == "string") {
                  if (func2(data184) > 256) {
                    let err535 = { instancePath: instancePath + "/triggers/" + i16 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                    vErrors === null ? vErrors = [err535] : vErrors.push(err535), errors++;
                  }
                  if (func2(data184) < 8) {
                    let err536 = { instancePath: instancePath + "/triggers/" + i16 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/minLength", keyword: "minLength", params: { limit: 8 }, message: "must NOT have fewer than 8 characters" };
                    vErrors === null ? vErrors = [err536] : vErrors.push(err536), errors++;
                  }
                  if (!pattern38.test(data184)) {
                    let err537 = { instancePath: instancePath + "/triggers/" + i16 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/pattern", keyword: "pattern", params: { pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$" }, message: 'must match pattern "^([\\x21-\\x7e]+|meta\\.[^]+)$"' };
                    vErrors === null ? vErrors = [err537] : vErrors.push(err537), errors++;
                  }
                } else {
                  let err538 = { instancePath: instancePath + "/triggers/" + i16 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err538] : vErrors.push(err538), errors++;
                }
              }
              if (data181.action !== void 0) {
                let data185 = data181.action;
                if (typeof data185 != "string") {
                  let err539 = { instancePath: instancePath + "/triggers/" + i16 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err539] : vErrors.push(err539), errors++;
                }
                if (!(data185 === "start" || data185 === "stop" || data185 === "scale")) {
                  let err540 = { instancePath: instancePath + "/triggers/" + i16 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.then.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err540] : vErrors.push(err540), errors++;
                }
              }
              if (data181.scale !== void 0) {
                let data186 = data181.scale;
                if (!(typeof data186 == "number" && !(data186 % 1) && !isNaN(data186) && isFinite(data186))) {
                  let err541 = { instancePath: instancePath + "/triggers/" + i16 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err541] : vErrors.push(err541), errors++;
                }
                if (typeof data186 == "number" && isFinite(data186)) {
                  if (data186 > 1e5 || isNaN(data186)) {
                    let err542 = { instancePath: instancePath + "/triggers/" + i16 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
                    vErrors === null ? vErrors = [err542] : vErrors.push(err542), errors++;
                  }
                  if (data186 < 0 || isNaN(data186)) {
                    let err543 = { instancePath: instancePath + "/triggers/" + i16 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err543] : vErrors.push(err543), errors++;
                  }
                }
              }
              if (data181.instances !== void 0) {
                let data187 = data181.instances;
                if (!(typeof data187 == "number" && !(data187 % 1) && !isNaN(data187) && isFinite(data187))) {
                  let err544 = { instancePath: instancePath + "/triggers/" + i16 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err544] : vErrors.push(err544), errors++;
                }
                if (typeof data187 == "number" && isFinite(data187)) {
                  if (data187 > 1e4 || isNaN(data187)) {
                    let err545 = { instancePath: instancePath + "/triggers/" + i16 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err545] : vErrors.push(err545), errors++;
                  }
                  if (data187 < -1e4 || isNaN(data187)) {
                    let err546 = { instancePath: instancePath + "/triggers/" + i16 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e4 }, message: "must be >= -10000" };
                    vErrors === null ? vErrors = [err546] : vErrors.push(err546), errors++;
                  }
                }
              }
            } else {
              let err547 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/then/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err547] : vErrors.push(err547), errors++;
            }
            var _valid0 = _errs407 === errors;
            if (valid72 = _valid0, valid72)
              var props5 = !0;
            ifClause0 = "then";
          } else {
            let _errs421 = errors;
            if (data181 && typeof data181 == "object" && !Array.isArray(data181)) {
              if (data181.name === void 0) {
                let err548 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err548] : vErrors.push(err548), errors++;
              }
              if (data181.source === void 0) {
                let err549 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "source" }, message: "must have required property 'source'" };
                vErrors === null ? vErrors = [err549] : vErrors.push(err549), errors++;
              }
              if (data181.operator === void 0) {
                let err550 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
                vErrors === null ? vErrors = [err550] : vErrors.push(err550), errors++;
              }
              if (data181.value === void 0) {
                let err551 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
                vErrors === null ? vErrors = [err551] : vErrors.push(err551), errors++;
              }
              if (data181.percent === void 0) {
                let err552 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "percent" }, message: "must have required property 'percent'" };
                vErrors === null ? vErrors = [err552] : vErrors.push(err552), errors++;
              }
              if (data181.time === void 0) {
                let err553 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "time" }, message: "must have required property 'time'" };
                vErrors === null ? vErrors = [err553] : vErrors.push(err553), errors++;
              }
              if (data181.aggregate === void 0) {
                let err554 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "aggregate" }, message: "must have required property 'aggregate'" };
                vErrors === null ? vErrors = [err554] : vErrors.push(err554), errors++;
              }
              if (data181.action === void 0) {
                let err555 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err555] : vErrors.push(err555), errors++;
              }
              if (data181.instances === void 0) {
                let err556 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "instances" }, message: "must have required property 'instances'" };
                vErrors === null ? vErrors = [err556] : vErrors.push(err556), errors++;
              }
              for (let key34 in data181)
                if (!func1.call(schema31.properties.triggers.items.else.properties, key34)) {
                  let err557 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key34 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err557] : vErrors.push(err557), errors++;
                }
              if (data181.name !== void 0) {
                let data188 = data181.name;
                if (typeof data188 == "string") {
                  if (!pattern28.test(data188)) {
                    let err558 = { instancePath: instancePath + "/triggers/" + i16 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err558] : vErrors.push(err558), errors++;
                  }
                } else {
                  let err559 = { instancePath: instancePath + "/triggers/" + i16 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err559] : vErrors.push(err559), errors++;
                }
              }
              if (data181.source !== void 0) {
                let data189 = data181.source;
                if (typeof data189 == "string") {
                  if (!pattern40.test(data189)) {
                    let err560 = { instancePath: instancePath + "/triggers/" + i16 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/pattern", keyword: "pattern", params: { pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$" }, message: 'must match pattern "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$"' };
                    vErrors === null ? vErrors = [err560] : vErrors.push(err560), errors++;
                  }
                } else {
                  let err561 = { instancePath: instancePath + "/triggers/" + i16 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err561] : vErrors.push(err561), errors++;
                }
              }
              if (data181.operator !== void 0) {
                let data190 = data181.operator;
                if (typeof data190 != "string") {
                  let err562 = { instancePath: instancePath + "/triggers/" + i16 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err562] : vErrors.push(err562), errors++;
                }
                if (!(data190 === "<" || data190 === "<=" || data190 === ">" || data190 === ">=" || data190 === "==" || data190 === "!=")) {
                  let err563 = { instancePath: instancePath + "/triggers/" + i16 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err563] : vErrors.push(err563), errors++;
                }
              }
              if (data181.value !== void 0) {
                let data191 = data181.value;
                if (!(typeof data191 == "number" && isFinite(data191))) {
                  let err564 = { instancePath: instancePath + "/triggers/" + i16 + "/value", schemaPath: "#/properties/triggers/items/else/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err564] : vErrors.push(err564), errors++;
                }
              }
              if (data181.percent !== void 0 && typeof data181.percent != "boolean") {
                let err565 = { instancePath: instancePath + "/triggers/" + i16 + "/percent", schemaPath: "#/properties/triggers/items/else/properties/percent/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err565] : vErrors.push(err565), errors++;
              }
              if (data181.time !== void 0) {
                let data193 = data181.time;
                if (typeof data193 == "number" && isFinite(data193)) {
                  if (data193 > 86400 || isNaN(data193)) {
                    let err566 = { instancePath: instancePath + "/triggers/" + i16 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                    vErrors === null ? vErrors = [err566] : vErrors.push(err566), errors++;
                  }
                  if (data193 < 1 || isNaN(data193)) {
                    let err567 = { instancePath: instancePath + "/triggers/" + i16 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err567] : vErrors.push(err567), errors++;
                  }
                } else {
                  let err568 = { instancePath: instancePath + "/triggers/" + i16 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err568] : vErrors.push(err568), errors++;
                }
              }
              if (data181.aggregate !== void 0) {
                let data194 = data181.aggregate;
                if (typeof data194 != "string") {
                  let err569 = { instancePath: instancePath + "/triggers/" + i16 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err569] : vErrors.push(err569), errors++;
                }
                if (!(data194 === "avg" || data194 === "min" || data194 === "max" || data194 === "sum" || data194 === "p90")) {
                  let err570 = { instancePath: instancePath + "/triggers/" + i16 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.aggregate.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err570] : vErrors.push(err570), errors++;
                }
              }
              if (data181.action !== void 0) {
                let data195 = data181.action;
                if (typeof data195 != "string") {
                  let err571 = { instancePath: instancePath + "/triggers/" + i16 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err571] : vErrors.push(err571), errors++;
                }
                if (!(data195 === "increment" || data195 === "decrement")) {
                  let err572 = { instancePath: instancePath + "/triggers/" + i16 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err572] : vErrors.push(err572), errors++;
                }
              }
              if (data181.instances !== void 0) {
                let data196 = data181.instances;
                if (!(typeof data196 == "number" && !(data196 % 1) && !isNaN(data196) && isFinite(data196))) {
                  let err573 = { instancePath: instancePath + "/triggers/" + i16 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err573] : vErrors.push(err573), errors++;
                }
                if (typeof data196 == "number" && isFinite(data196)) {
                  if (data196 > 1e4 || isNaN(data196)) {
                    let err574 = { instancePath: instancePath + "/triggers/" + i16 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err574] : vErrors.push(err574), errors++;
                  }
                  if (data196 < 1 || isNaN(data196)) {
                    let err575 = { instancePath: instancePath + "/triggers/" + i16 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err575] : vErrors.push(err575), errors++;
                  }
                }
              }
            } else {
              let err576 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/else/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err576] : vErrors.push(err576), errors++;
            }
            var _valid0 = _errs421 === errors;
            valid72 = _valid0, valid72 && props5 !== !0 && (props5 = !0), ifClause0 = "else";
          }
          if (!valid72) {
            let err577 = { instancePath: instancePath + "/triggers/" + i16, schemaPath: "#/properties/triggers/items/if", keyword: "if", params: { failingKeyword: ifClause0 }, message: 'must match "' + ifClause0 + '" schema' };
            vErrors === null ? vErrors = [err577] : vErrors.push(err577), errors++;
          }
        }
      } else {
        let err578 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err578] : vErrors.push(err578), errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data197 = data.webhooks;
      if (Array.isArray(data197)) {
        if (data197.length > 20) {
          let err579 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err579] : vErrors.push(err579), errors++;
        }
        let len17 = data197.length;
        for (let i17 = 0; i17 < len17; i17++) {
          let data198 = data197[i17];
          if (data198 && typeof data198 == "object" && !Array.isArray(data198)) {
            if (data198.url === void 0) {
              let err580 = { instancePath: instancePath + "/webhooks/" + i17, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
              vErrors === null ? vErrors = [err580] : vErrors.push(err580), errors++;
            }
            if (data198.events === void 0) {
              let err581 = { instancePath: instancePath + "/webhooks/" + i17, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "events" }, message: "must have required property 'events'" };
              vErrors === null ? vErrors = [err581] : vErrors.push(err581), errors++;
            }
            if (data198.headers === void 0) {
              let err582 = { instancePath: instancePath + "/webhooks/" + i17, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
              vErrors === null ? vErrors = [err582] : vErrors.push(err582), errors++;
            }
            if (data198.allow_private === void 0) {
              let err583 = { instancePath: instancePath + "/webhooks/" + i17, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "allow_private" }, message: "must have required property 'allow_private'" };
              vErrors === null ? vErrors = [err583] : vErrors.push(err583), errors++;
            }
            for (let key35 in data198)
              if (!(key35 === "url" || key35 === "events" || key35 === "secret" || key35 === "headers" || key35 === "allow_private")) {
                let err584 = { instancePath: instancePath + "/webhooks/" + i17, schemaPath: "#/properties/webhooks/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key35 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err584] : vErrors.push(err584), errors++;
              }
            if (data198.url !== void 0) {
              let data199 = data198.url;
              if (typeof data199 == "string") {
                if (func2(data199) > 2048) {
                  let err585 = { instancePath: instancePath + "/webhooks/" + i17 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/maxLength", keyword: "maxLength", params: { limit: 2048 }, message: "must NOT have more than 2048 characters" };
                  vErrors === null ? vErrors = [err585] : vErrors.push(err585), errors++;
                }
                if (!pattern41.test(data199)) {
                  let err586 = { instancePath: instancePath + "/webhooks/" + i17 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/pattern", keyword: "pattern", params: { pattern: "^https?://[^\\s/?#]+\\S*$" }, message: 'must match pattern "^https?://[^\\s/?#]+\\S*$"' };
                  vErrors === null ? vErrors = [err586] : vErrors.push(err586), errors++;
                }
              } else {
                let err587 = { instancePath: instancePath + "/webhooks/" + i17 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err587] : vErrors.push(err587), errors++;
              }
            }
            if (data198.events !== void 0) {
              let data200 = data198.events;
              if (Array.isArray(data200)) {
                if (data200.length < 1) {
                  let err588 = { instancePath: instancePath + "/webhooks/" + i17 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                  vErrors === null ? vErrors = [err588] : vErrors.push(err588), errors++;
                }
                let len18 = data200.length;
                for (let i18 = 0; i18 < len18; i18++) {
                  let data201 = data200[i18];
                  if (typeof data201 != "string") {
                    let err589 = { instancePath: instancePath + "/webhooks/" + i17 + "/events/" + i18, schemaPath: "#/properties/webhooks/items/properties/events/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err589] : vErrors.push(err589), errors++;
                  }
                  if (!(data201 === "start" || data201 === "stop" || data201 === "health" || data201 === "scale" || data201 === "deploy")) {
                    let err590 = { instancePath: instancePath + "/webhooks/" + i17 + "/events/" + i18, schemaPath: "#/properties/webhooks/items/properties/events/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.items.properties.events.items.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err590] : vErrors.push(err590), errors++;
                  }
                }
                let i19 = data200.length, j0;
                if (i19 > 1) {
                  let indices0 = {};
                  for (; i19--; ) {
                    let item0 = data200[i19];
                    if (typeof item0 == "string") {
                      if (typeof indices0[item0] == "number") {
                        j0 = indices0[item0];
                        let err591 = { instancePath: instancePath + "/webhooks/" + i17 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/uniqueItems", keyword: "uniqueItems", params: { i: i19, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i19 + " are identical)" };
                        vErrors === null ? vErrors = [err591] : vErrors.push(err591), errors++;
                        break;
                      }
                      indices0[item0] = i19;
                    }
                  }
                }
              } else {
                let err592 = { instancePath: instancePath + "/webhooks/" + i17 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err592] : vErrors.push(err592), errors++;
              }
            }
            if (data198.secret !== void 0) {
              let data202 = data198.secret;
              if (typeof data202 == "string") {
                if (!pattern42.test(data202)) {
                  let err593 = { instancePath: instancePath + "/webhooks/" + i17 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/pattern", keyword: "pattern", params: { pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$" }, message: 'must match pattern "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$"' };
                  vErrors === null ? vErrors = [err593] : vErrors.push(err593), errors++;
                }
              } else {
                let err594 = { instancePath: instancePath + "/webhooks/" + i17 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err594] : vErrors.push(err594), errors++;
              }
            }
            if (data198.headers !== void 0) {
              let data203 = data198.headers;
              if (data203 && typeof data203 == "object" && !Array.isArray(data203)) {
                var props6 = {};
                for (let key36 in data203)
                  if (pattern7.test(key36)) {
                    if (typeof data203[key36] != "string") {
                      let err595 = { instancePath: instancePath + "/webhooks/" + i17 + "/headers/" + key36.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/items/properties/headers/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err595] : vErrors.push(err595), errors++;
                    }
                    props6[key36] = !0;
                  }
              } else {
                let err596 = { instancePath: instancePath + "/webhooks/" + i17 + "/headers", schemaPath: "#/properties/webhooks/items/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err596] : vErrors.push(err596), errors++;
              }
            }
            if (data198.allow_private !== void 0 && typeof data198.allow_private != "boolean") {
              let err597 = { instancePath: instancePath + "/webhooks/" + i17 + "/allow_private", schemaPath: "#/properties/webhooks/items/properties/allow_private/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err597] : vErrors.push(err597), errors++;
            }
          } else {
            let err598 = { instancePath: instancePath + "/webhooks/" + i17, schemaPath: "#/properties/webhooks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err598] : vErrors.push(err598), errors++;
          }
        }
      } else {
        let err599 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err599] : vErrors.push(err599), errors++;
      }
    }
    if (data.schedule !== void 0) {
      let data206 = data.schedule;
      if (data206 && typeof data206 == "object" && !Array.isArray(data206)) {
        if (data206.kind === void 0) {
          let err600 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
          vErrors === null ? vErrors = [err600] : vErrors.push(err600), errors++;
        }
        if (data206.expression === void 0) {
          let err601 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "expression" }, message: "must have required property 'expression'" };
          vErrors === null ? vErrors = [err601] : vErrors.push(err601), errors++;
        }
        if (data206.overlap === void 0) {
          let err602 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "overlap" }, message: "must have required property 'overlap'" };
          vErrors === null ? vErrors = [err602] : vErrors.push(err602), errors++;
        }
        for (let key37 in data206)
          if (!(key37 === "kind" || key37 === "expression" || key37 === "epsilon" || key37 === "timezone" || key37 === "overlap")) {
            let err603 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key37 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err603] : vErrors.push(err603), errors++;
          }
        if (data206.kind !== void 0) {
          let data207 = data206.kind;
          if (typeof data207 != "string") {
            let err604 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err604] : vErrors.push(err604), errors++;
          }
          if (!(data207 === "interval" || data207 === "cron")) {
            let err605 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.kind.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err605] : vErrors.push(err605), errors++;
          }
        }
        if (data206.expression !== void 0) {
          let data208 = data206.expression;
          if (typeof data208 == "string") {
            if (func2(data208) > 256) {
              let err606 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
              vErrors === null ? vErrors = [err606] : vErrors.push(err606), errors++;
            }
            if (func2(data208) < 1) {
              let err607 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err607] : vErrors.push(err607), errors++;
            }
          } else {
            let err608 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err608] : vErrors.push(err608), errors++;
          }
        }
        if (data206.epsilon !== void 0) {
          let data209 = data206.epsilon;
          if (typeof data209 == "number" && isFinite(data209)) {
            if (data209 > 31536e3 || isNaN(data209)) {
              let err609 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/maximum", keyword: "maximum", params: { comparison: "<=", limit: 31536e3 }, message: "must be <= 31536000" };
              vErrors === null ? vErrors = [err609] : vErrors.push(err609), errors++;
            }
            if (data209 < 1 || isNaN(data209)) {
              let err610 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err610] : vErrors.push(err610), errors++;
            }
          } else {
            let err611 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err611] : vErrors.push(err611), errors++;
          }
        }
        if (data206.timezone !== void 0) {
          let data210 = data206.timezone;
          if (typeof data210 == "string") {
            if (func2(data210) < 1) {
              let err612 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err612] : vErrors.push(err612), errors++;
            }
          } else {
            let err613 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err613] : vErrors.push(err613), errors++;
          }
        }
        if (data206.overlap !== void 0) {
          let data211 = data206.overlap;
          if (typeof data211 != "string") {
            let err614 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err614] : vErrors.push(err614), errors++;
          }
          if (!(data211 === "skip" || data211 === "allow" || data211 === "replace")) {
            let err615 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.overlap.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err615] : vErrors.push(err615), errors++;
          }
        }
      } else {
        let err616 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err616] : vErrors.push(err616), errors++;
      }
    }
  } else {
    let err617 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err617] : vErrors.push(err617), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
validate20.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var checkPackages = validate21;
var pattern44 = new RegExp("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "u"), pattern45 = new RegExp("^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", "u");
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate21.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.packages === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "packages" }, message: "must have required property 'packages'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (key0 !== "packages") {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.packages !== void 0) {
      let data0 = data.packages;
      if (Array.isArray(data0)) {
        if (data0.length > 1e3) {
          let err2 = { instancePath: instancePath + "/packages", schemaPath: "#/properties/packages/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
        let len0 = data0.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data1 = data0[i0];
          if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
            if (data1.name === void 0) {
              let err3 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
              vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
            }
            if (data1.family === void 0) {
              let err4 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "family" }, message: "must have required property 'family'" };
              vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
            }
            if (data1.ram === void 0) {
              let err5 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "ram" }, message: "must have required property 'ram'" };
              vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
            }
            if (data1.disk === void 0) {
              let err6 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "disk" }, message: "must have required property 'disk'" };
              vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
            }
            if (data1.cpu === void 0) {
              let err7 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "cpu" }, message: "must have required property 'cpu'" };
              vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
            }
            for (let key1 in data1)
              if (!(key1 === "uuid" || key1 === "name" || key1 === "family" || key1 === "ram" || key1 === "disk" || key1 === "cpu")) {
                let err8 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
              }
            if (data1.uuid !== void 0) {
              let data2 = data1.uuid;
              if (typeof data2 == "string") {
                if (!pattern44.test(data2)) {
                  let err9 = { instancePath: instancePath + "/packages/" + i0 + "/uuid", schemaPath: "#/properties/packages/items/properties/uuid/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" }, message: 'must match pattern "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"' };
                  vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
                }
              } else {
                let err10 = { instancePath: instancePath + "/packages/" + i0 + "/uuid", schemaPath: "#/properties/packages/items/properties/uuid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
              }
            }
            if (data1.name !== void 0) {
              let data3 = data1.name;
              if (typeof data3 == "string") {
                if (func2(data3) > 128) {
                  let err11 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
                  vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
                }
                if (!pattern45.test(data3)) {
                  let err12 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$" }, message: 'must match pattern "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$"' };
                  vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
                }
              } else {
                let err13 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
              }
            }
            if (data1.family !== void 0) {
              let data4 = data1.family;
              if (typeof data4 == "string") {
                if (!pattern6.test(data4)) {
                  let err14 = { instancePath: instancePath + "/packages/" + i0 + "/family", schemaPath: "#/properties/packages/items/properties/family/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_.-]*$"' };
                  vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
                }
              } else {
                let err15 = { instancePath: instancePath + "/packages/" + i0 + "/family", schemaPath: "#/properties/packages/items/properties/family/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
              }
            }
            if (data1.ram !== void 0) {
              let data5 = data1.ram;
              if (!(typeof data5 == "number" && !(data5 % 1) && !isNaN(data5) && isFinite(data5))) {
                let err16 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
              }
              if (typeof data5 == "number" && isFinite(data5)) {
                if (data5 > 1073741824 || isNaN(data5)) {
                  let err17 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1073741824 }, message: "must be <= 1073741824" };
                  vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
                }
                if (data5 < 1 || isNaN(data5)) {
                  let err18 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
                }
              }
            }
            if (data1.disk !== void 0) {
              let data6 = data1.disk;
              if (!(typeof data6 == "number" && !(data6 % 1) && !isNaN(data6) && isFinite(data6))) {
                let err19 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
              }
              if (typeof data6 == "number" && isFinite(data6)) {
                if (data6 > 1073741824 || isNaN(data6)) {
                  let err20 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1073741824 }, message: "must be <= 1073741824" };
                  vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
                }
                if (data6 < 1 || isNaN(data6)) {
                  let err21 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
                }
              }
            }
            if (data1.cpu !== void 0) {
              let data7 = data1.cpu;
              if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7) && isFinite(data7))) {
                let err22 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
              }
              if (typeof data7 == "number" && isFinite(data7)) {
                if (data7 > 1e6 || isNaN(data7)) {
                  let err23 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
                  vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
                }
                if (data7 < 1 || isNaN(data7)) {
                  let err24 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
                }
              }
            }
          } else {
            let err25 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
          }
        }
      } else {
        let err26 = { instancePath: instancePath + "/packages", schemaPath: "#/properties/packages/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
      }
    }
  } else {
    let err27 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}
validate21.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var serviceSchema = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, description: { type: "string", minLength: 1, maxLength: 1e3, expected: "a text of at most 1000 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, memory_swap: { type: "integer", minimum: -1, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, or -1" }, cpu: { type: "number", minimum: 0.01, maximum: 1e3, expected: "a number of cores with at most two decimals, from 0.01 to 1000" }, pids: { type: "integer", minimum: 1, maximum: 4194304, expected: "a whole number from 1 to 4194304" }, ulimits: { type: "object", properties: { core: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, cpu: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, data: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, fsize: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, locks: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, memlock: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, msgqueue: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nice: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nofile: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, nproc: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rss: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, rtprio: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, sigpending: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" }, stack: { type: "object", required: ["soft", "hard"], properties: { soft: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" }, hard: { type: "integer", minimum: -1, maximum: 999999999999999, expected: "a whole number, or -1 for no limit" } }, additionalProperties: !1, expected: "a number, soft:hard, or a map with soft and hard" } }, additionalProperties: !1, expected: "a map such as nofile: 65536" }, shm_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, group_add: { type: "array", items: { type: "string", pattern: "^([A-Za-z_][A-Za-z0-9_.-]*|0|[1-9]\\d{0,9})$", maxLength: 100, expected: "the name or the number of a group" }, maxItems: 100, expected: "a list of groups" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, hostname: { type: "string", pattern: "^(?:[A-Za-z0-9.-]|[^]*)+$", maxLength: 253, expected: "the name of a host: letters, digits, - and dots" }, extra_hosts: { type: "array", items: { type: "string", pattern: "^[A-Za-z0-9_.-]+:[0-9A-Fa-f.:]+$|^[A-Za-z0-9_.-]+:host-gateway$", expected: "NAME:ADDRESS" }, maxItems: 100, expected: "a list of NAME:ADDRESS, or a map" }, init: { type: "boolean", expected: "true or false" }, read_only: { type: "boolean", expected: "true or false" }, cap_add: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, cap_drop: { type: "array", items: { type: "string", enum: ["ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE", "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT", "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "WAKE_ALARM"], expected: "a capability such as NET_ADMIN, or ALL" }, maxItems: 50, expected: "a list of capabilities" }, privileged: { type: "boolean", expected: "true or false" }, devices: { type: "array", items: { type: "string", pattern: "^/dev/[^:\\s]+(:/[^:\\s]+)?(:[rwm]{1,3})?$", maxLength: 512, expected: "a device such as /dev/fuse, /dev/a:/dev/b or /dev/a:/dev/b:r" }, maxItems: 100, expected: "a list of devices" }, gpus: { type: "string", pattern: "^(all|[1-9]\\d{0,2}|device=[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)$", maxLength: 1e3, expected: "all, a number, or device=ID,ID" }, sysctls: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, on_lost: { enum: ["wait", "fresh"], type: "string", expected: "one of wait, fresh" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, hysteresis: { type: "boolean", expected: "true or false" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl, hysteresis and disable" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, stop_signal: { type: "string", pattern: "^SIG[A-Z0-9+]+$", expected: "a signal such as SIGINT" }, log: { type: "object", properties: { driver: { type: "string", pattern: "^[a-z0-9][a-zA-Z0-9._/:-]*$", maxLength: 255, expected: "the name of a log driver such as json-file" }, max_size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, from 1M to 1T" }, max_files: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, options: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" } }, additionalProperties: !1, expected: "a map with driver, max_size, max_files and options" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "network", "port", "poll", "timeout", "retries"], properties: { type: { enum: ["tcp"], type: "string", expected: "one of tcp" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https, tcp or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys" }, packagesSchema = { type: "object", required: ["packages"], properties: { packages: { type: "array", items: { type: "object", required: ["name", "family", "ram", "disk", "cpu"], properties: { uuid: { type: "string", pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", expected: "a uuid in lower case" }, name: { type: "string", pattern: "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", maxLength: 128, expected: "a name of letters, digits, _, . and -, no two signs in a row" }, family: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "a name of letters, digits, _, . and -" }, ram: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, disk: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, cpu: { type: "integer", minimum: 1, maximum: 1e6, expected: "hundredths of a core, such as 100 for one core" } }, additionalProperties: !1, expected: "a map with name, family, ram, disk and cpu" }, maxItems: 1e3, expected: "a list of at most 1000 packages" } }, additionalProperties: !1, expected: "a list of packages" };
export {
  checkPackages,
  checkService,
  packagesSchema,
  serviceSchema
};
