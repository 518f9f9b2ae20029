"""The archive of activity: its bucket, the table over it that Athena reads, and who may do what to them."""

from __future__ import annotations

from typing import Any

from dashboard.platform.transfer.cloudformation.parts import (
    Template,
    event_source_mapping,
    managed_policy,
    parameter,
    statement,
)
from dashboard.table import schema

# The folders of the bucket: ACTIVITY_ARCHIVE is the first one.
FOLDER, RESULTS = "activity", "results"
TABLE = "events"
# The columns of the files, as activity/archive/schema.py has them. `country` is a column and not a partition: a list
# of its values, which projection needs, would hide the events of every country that it lacks.
COLUMNS = {
    "event_id": "string",
    "user": "string",
    "at": "timestamp",
    "action": "string",
    "room": "string",
    "domain": "string",
    "metadata": "string",
    "country": "string",
}
FIRST_DAY = "2025-01-01"
# An event waits for others, so that the files do not become too small.
BATCH, WINDOW_SECONDS = 1000, 60

_READS = ("GetObject",)
_WRITES = ("DeleteObject", "GetObject", "PutObject")
_ATHENA = ("GetQueryExecution", "GetQueryResults", "GetWorkGroup", "StartQueryExecution", "StopQueryExecution")
_GLUE = ("GetDatabase", "GetPartitions", "GetTable")
_ON_STREAM = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")
_ON_TABLE = (
    *("BatchGetItem", "ConditionCheckItem", "DeleteItem", "DescribeTable"),
    *("GetItem", "PutItem", "Query", "UpdateItem"),
)
_ARN = r"(arn:.+)?"

PARAMETERS = {
    "ArchiveBucketName": parameter(
        f"The bucket of the archive: ACTIVITY_ARCHIVE is s3://<name>/{FOLDER}. Empty: no archive.",
        "",
        r"([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?",
    ),
    "ArchiveDatabase": parameter(
        "The database of Athena: ATHENA_DATABASE.", "trastienda_activity", r"[a-z0-9_]{1,255}"
    ),
    "ArchiveWorkgroup": parameter(
        "The workgroup of Athena: ATHENA_WORKGROUP.", "trastienda-activity", r"[a-zA-Z0-9._-]{1,128}"
    ),
    "ArchiveScanLimit": {
        "Type": "Number",
        "Description": "How many bytes a query may read at most; Athena cancels it then.",
        "Default": 10 * 1024**3,
        "MinValue": 10_000_000,
    },
    "ArchiveOldVersionDays": {
        "Type": "Number",
        "Description": "After how many days replaced and removed files are deleted. Until then they can be restored.",
        "Default": 30,
        "MinValue": 1,
    },
    "ArchiveFunctionArn": parameter(
        "The Lambda function that archives activity (docs/activity-archive.md). Empty: a command does.",
        "",
        _ARN,
    ),
    # A mapping to the stream of a past month is still needed while late events come: the months take turns.
    "OddMonthStreamArn": parameter("The stream of the activity table of January, March, …, July, …", "", _ARN),
    "EvenMonthStreamArn": parameter("The stream of the activity table of February, April, …", "", _ARN),
}
_HAS_BUCKET = {"Fn::Not": [{"Fn::Equals": [{"Ref": "ArchiveBucketName"}, ""]}]}


def _has_mapping(stream: str) -> Template:
    return {"Fn::And": [{"Fn::Not": [{"Fn::Equals": [{"Ref": each}, ""]}]} for each in ("ArchiveFunctionArn", stream)]}


CONDITIONS = {
    "HasArchive": _HAS_BUCKET,
    "HasOddMonthMapping": _has_mapping("OddMonthStreamArn"),
    "HasEvenMonthMapping": _has_mapping("EvenMonthStreamArn"),
}
OUTPUTS = {
    "ArchiveReaderPolicyArn": {"Condition": "HasArchive", "Value": {"Ref": "ArchiveReaderPolicy"}},
    "ArchiverPolicyArn": {"Condition": "HasArchive", "Value": {"Ref": "ArchiverPolicy"}},
    "ArchiveAddress": {"Condition": "HasArchive", "Value": {"Fn::Sub": f"s3://${{ArchiveBucket}}/{FOLDER}"}},
}


def resources(main: Template, activity: Template) -> Template:
    """The resources of the archive. `main` and `activity` are the ARNs of the tables."""
    return {
        **{name: {"Condition": "HasArchive", **each} for name, each in _archive(main, activity).items()},
        **{
            f"Archive{month}Mapping": {
                "Condition": f"Has{month}Mapping",
                **event_source_mapping(
                    {"Ref": f"{month}StreamArn"},
                    "ArchiveFunctionArn",
                    BATCH,
                    MaximumBatchingWindowInSeconds=WINDOW_SECONDS,
                ),
            }
            for month in ("OddMonth", "EvenMonth")
        },
    }


def _archive(main: Template, activity: Template) -> Template:
    return {
        "ArchiveBucket": _bucket(),
        "ArchiveBucketPolicy": _bucket_policy(),
        "ArchiveGlueDatabase": {
            "Type": "AWS::Glue::Database",
            "Properties": {
                "CatalogId": {"Ref": "AWS::AccountId"},
                "DatabaseInput": {"Name": {"Ref": "ArchiveDatabase"}, "Description": "Trastienda's activity."},
            },
        },
        "ArchiveGlueTable": _glue_table(),
        "ArchiveAthenaWorkgroup": _workgroup(),
        "ArchiveReaderPolicy": _reader_policy(),
        "ArchiverPolicy": _archiver_policy(main, activity),
    }


def _bucket() -> Template:
    """A private bucket with versions. It is retained: older events exist nowhere else."""
    return {
        "Type": "AWS::S3::Bucket",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            "BucketName": {"Ref": "ArchiveBucketName"},
            "VersioningConfiguration": {"Status": "Enabled"},
            "BucketEncryption": {
                "ServerSideEncryptionConfiguration": [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
            },
            "PublicAccessBlockConfiguration": {
                "BlockPublicAcls": True,
                "BlockPublicPolicy": True,
                "IgnorePublicAcls": True,
                "RestrictPublicBuckets": True,
            },
            "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]},
            "LifecycleConfiguration": {
                "Rules": [
                    {
                        "Id": "old-versions",
                        "Status": "Enabled",
                        "NoncurrentVersionExpiration": {"NoncurrentDays": {"Ref": "ArchiveOldVersionDays"}},
                        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
                    },
                    {"Id": "results", "Status": "Enabled", "Prefix": f"{RESULTS}/", "ExpirationInDays": 7},
                ]
            },
        },
    }


def _bucket_policy() -> Template:
    insecure = {
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [{"Fn::GetAtt": ["ArchiveBucket", "Arn"]}, _objects("*")],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    return {
        "Type": "AWS::S3::BucketPolicy",
        "Properties": {
            "Bucket": {"Ref": "ArchiveBucket"},
            "PolicyDocument": {"Version": "2012-10-17", "Statement": [insecure]},
        },
    }


def _glue_table() -> Template:
    """The files of sealed days. Their dates are computed and not listed, so that no partition is ever added."""
    location = f"s3://${{ArchiveBucket}}/{FOLDER}/events"
    return {
        "Type": "AWS::Glue::Table",
        "Properties": {
            "CatalogId": {"Ref": "AWS::AccountId"},
            "DatabaseName": {"Ref": "ArchiveGlueDatabase"},
            "TableInput": {
                "Name": TABLE,
                "TableType": "EXTERNAL_TABLE",
                "PartitionKeys": [{"Name": "date", "Type": "string"}],
                "Parameters": {
                    "classification": "parquet",
                    "projection.enabled": "true",
                    "projection.date.type": "date",
                    "projection.date.format": "yyyy-MM-dd",
                    "projection.date.range": f"{FIRST_DAY},NOW",
                    # `${date}` is Athena's: it is not a variable of this template.
                    "storage.location.template": {"Fn::Sub": f"{location}/date=${{!date}}"},
                },
                "StorageDescriptor": {
                    "Location": {"Fn::Sub": f"{location}/"},
                    "Columns": [{"Name": name, "Type": kind} for name, kind in COLUMNS.items()],
                    "InputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
                    "OutputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
                    "SerdeInfo": {
                        "SerializationLibrary": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"
                    },
                },
            },
        },
    }


def _workgroup() -> Template:
    """Its settings count, whatever a query asks for: the place of the results, and how much it may read."""
    return {
        "Type": "AWS::Athena::WorkGroup",
        "Properties": {
            "Name": {"Ref": "ArchiveWorkgroup"},
            "Description": "Questions about Trastienda's activity.",
            "WorkGroupConfiguration": {
                "EnforceWorkGroupConfiguration": True,
                "PublishCloudWatchMetricsEnabled": True,
                "BytesScannedCutoffPerQuery": {"Ref": "ArchiveScanLimit"},
                "ResultConfiguration": {
                    "OutputLocation": {"Fn::Sub": f"s3://${{ArchiveBucket}}/{RESULTS}/"},
                    "EncryptionConfiguration": {"EncryptionOption": "SSE_S3"},
                },
            },
        },
    }


def _reader_policy() -> Template:
    return managed_policy(
        "What Trastienda does with the archive while it serves: it reads files and asks Athena.",
        [
            statement("athena", _ATHENA, [{"Fn::Sub": _arn("athena", "workgroup/${ArchiveWorkgroup}")}]),
            statement(
                "glue",
                _GLUE,
                [
                    {"Fn::Sub": _arn("glue", "catalog")},
                    {"Fn::Sub": _arn("glue", "database/${ArchiveDatabase}")},
                    {"Fn::Sub": _arn("glue", f"table/${{ArchiveDatabase}}/{TABLE}")},
                ],
            ),
            statement("s3", _READS, [_objects(f"{FOLDER}/events/*")]),
            statement("s3", ("AbortMultipartUpload", "GetObject", "PutObject"), [_objects(f"{RESULTS}/*")]),
            statement("s3", ("GetBucketLocation", "ListBucket"), [{"Fn::GetAtt": ["ArchiveBucket", "Arn"]}]),
        ],
    )


def _archiver_policy(main: Template, activity: Template) -> Template:
    stream = {"Fn::Sub": _arn("dynamodb", f"table/{schema.activity_table('${TableName}', '*/stream/*')}")}
    return managed_policy(
        "What manage.py archive_activity or the Lambda function does, and run_due when it seals days.",
        [
            statement("dynamodb", _ON_STREAM, [stream]),
            statement("dynamodb", ("DescribeTable",), [activity]),
            statement("dynamodb", _ON_TABLE, [main]),
            statement("s3", _WRITES, [_objects(f"{FOLDER}/*")]),
            statement("s3", ("ListBucket",), [{"Fn::GetAtt": ["ArchiveBucket", "Arn"]}]),
        ],
    )


def _objects(path: str) -> Any:
    return {"Fn::Sub": f"${{ArchiveBucket.Arn}}/{path}"}


def _arn(service: str, resource: str) -> str:
    return f"arn:${{AWS::Partition}}:{service}:${{AWS::Region}}:${{AWS::AccountId}}:{resource}"
